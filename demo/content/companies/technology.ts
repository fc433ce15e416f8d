import { type CompanyStory, note, other, preferred, round, safe, testing } from '../story.ts'

export const TECHNOLOGY: readonly CompanyStory[] = [
  {
    name: 'Plumbline Robotics',
    slug: 'plumbline-robotics',
    tagline: 'A robot that hangs drywall overhead, so that nobody has to',
    town: 'pittsburgh',
    industries: ['robotics', 'infrastructure_and_construction', 'hardware'],
    models: ['b2b', 'service'],
    product: 'a robot',
    about:
      'Work on ceilings damages shoulders. Plumbline lifts, places and screws a sheet in 90 seconds with the help of one ' +
      'person. Eleven contractors rent it by the week, and all of them have rented it again.',
    rounds: [round('reg_cf', safe(22, 15), { target: 2_500_000, min: 500, count: 35, opened: 71, closes: -34 })],
    past: [{ exemption: 'reg_d_506c', raised: 2_050_000, investors: 34, closed: 390, ran: 110 }],
  },
  {
    name: 'Parcelbird',
    slug: 'parcelbird',
    tagline: 'Cargo bikes, lockers and routes for the last two miles',
    town: 'washington',
    industries: ['transportation', 'technology', 'sustainability'],
    models: ['b2b', 'service'],
    product: 'a delivery',
    about:
      'A bike makes 14 stops an hour where a van makes eight. Parcelbird carries for three national parcel firms in ' +
      'five cities and earns money in the two oldest of them.',
    rounds: [round('reg_cf', note(12, 20, '6'), { target: 1_070_000, min: 100, count: 29, opened: 63, closes: -28 })],
  },
  {
    name: 'Overtone',
    slug: 'overtone',
    tagline: 'Music lessons with an ear that never tires',
    town: 'los_angeles',
    industries: ['edtech', 'music', 'artificial_intelligence'],
    models: ['subscription', 'b2c', 'saas'],
    product: 'a lesson',
    about:
      'Overtone listens while one practises and says which bar to slow down. It knows nine instruments, costs less a ' +
      'month than one lesson, and 31,000 people have kept it for more than a year.',
    rounds: [
      testing('reg_cf', null, {
        target: 400_000,
        min: 100,
        count: 23,
        opened: 113,
        closing: 70,
        closed: 69,
        raise: 'series',
      }),
      round('reg_cf', preferred('1.12', 18), {
        target: 1_235_000,
        min: 112,
        count: 34,
        opened: 67,
        closes: -20,
        raise: 'series',
        converted: 11,
      }),
    ],
  },
  {
    name: 'Ledgerleaf',
    slug: 'ledgerleaf',
    tagline: 'Bookkeeping for market stalls, from a photo of the cash box',
    town: 'houston',
    industries: ['fintech_and_finance', 'mobile_apps', 'artificial_intelligence'],
    models: ['saas', 'subscription', 'b2b'],
    product: 'a stall',
    about:
      'Street vendors get no loans, because they have no accounts. Ledgerleaf makes accounts that a credit union accepts ' +
      'from receipts and a nightly photo. 6,800 stalls and 19 lenders use it.',
    rounds: [round('reg_cf', safe(8, 20), { target: 618_000, min: 100, count: 25, opened: 36, closes: -54 })],
  },
  {
    name: 'Foxglove Games',
    slug: 'foxglove-games',
    tagline: 'Board games with a story that remembers your table',
    town: 'portland',
    industries: ['games', 'entertainment', 'consumer_goods'],
    models: ['b2c', 'ecommerce'],
    product: 'a game',
    about:
      'We have sold 74,000 boxes of three games. One of them has its ending in an envelope that stays sealed for two years. ' +
      'We own the rights and print near our office. This round pays for the fourth game and its translation.',
    rounds: [
      round(
        'reg_cf',
        other(
          'Profit participation',
          'Ten per cent of the net profit of the fourth title, until two and a half times the amount paid has come back.',
        ),
        { target: 280_000, min: 100, count: 31, opened: 49, closes: -22 },
      ),
    ],
  },
  {
    name: 'Northlight AR',
    slug: 'northlight-ar',
    tagline: 'Glasses that show the pipe behind the wall',
    town: 'denver',
    industries: ['ar_and_vr', 'infrastructure_and_construction', 'hardware'],
    models: ['b2b', 'saas'],
    product: 'a headset',
    about:
      'Northlight draws plans onto the building itself, to the centimetre. Plumbers and electricians on 70 sites wear ' +
      'it; an insurer lowers the premium where they do.',
    rounds: [
      round('reg_d_506c', safe(30), {
        target: 5_000_000,
        min: 10_000,
        count: 13,
        opened: 42,
        closes: -48,
        accreditedOnly: true,
      }),
    ],
  },
  {
    name: 'Stitchwell',
    slug: 'stitchwell',
    tagline: 'Software for the people who mend what we wear',
    town: 'new_york',
    industries: ['fashion', 'sustainability', 'technology'],
    models: ['marketplace', 'saas'],
    product: 'a repair',
    about:
      'Nine brands send their repairs through Stitchwell to 260 independent menders, who set their own price and are ' +
      'paid the day the parcel leaves. One garment in four comes back to us for a second repair.',
    rounds: [round('reg_cf', safe(null, 20), { target: 400_000, min: 100, count: 20, opened: 18, closes: -72 })],
  },
  {
    name: 'Cobalt Reef',
    slug: 'cobalt-reef',
    tagline: 'Test environments that build themselves from production, without its data',
    town: 'san_jose',
    industries: ['devtools', 'technology'],
    models: ['saas', 'b2b', 'subscription'],
    product: 'an environment',
    about:
      'Cobalt Reef watches the shape of a system and rebuilds it overnight with invented data that breaks in the same ' +
      'places. 48 engineering teams pay for it; none of last year’s has left.',
    rounds: [
      round('reg_d_506b', safe(25), {
        target: 3_000_000,
        min: 25_000,
        count: 9,
        opened: 55,
        listed: false,
        invited: 16,
      }),
      round('reg_s', safe(25), { target: 500_000, min: 1_000, count: 11, opened: 50, closes: -40 }),
    ],
  },
  {
    name: 'Trailhead Commons',
    slug: 'trailhead-commons',
    tagline: 'Bunkhouses for people who build and mend trails',
    town: 'santa_fe',
    industries: ['travel_and_tourism', 'recreation', 'real_estate'],
    models: ['b2c', 'service'],
    product: 'a bunkhouse',
    about:
      'Trail crews sleep in trucks because towns near the trails have no beds left. Trailhead turns empty motels into ' +
      'bunkhouses that crews use on weekdays and walkers at weekends.',
    quiet: true,
    rounds: [testing('reg_cf', 'debt', { target: 600_000, min: 100, count: 17, opened: 24, closes: -45 })],
  },
  {
    name: 'Vireo Aerospace',
    slug: 'vireo-aerospace',
    tagline: 'Stratospheric gliders that watch for wildfire all summer',
    town: 'san_diego',
    industries: ['moonshots', 'climate_change', 'robotics', 'science_and_r_and_d'],
    models: ['b2b', 'service'],
    product: 'a glider',
    about:
      'A fire that is found in its first ten minutes stays small. Last season Vireo’s glider flew 41 days without landing. ' +
      'Two states and a utility have signed contracts for the next season.',
    rounds: [
      round('reg_a', preferred('6.00', 90), { target: 15_000_000, min: 300, count: 40, opened: 98, closes: -110 }),
    ],
    past: [{ exemption: 'reg_d_506b', raised: 8_400_000, investors: 41, closed: 300, ran: 140 }],
  },
]
