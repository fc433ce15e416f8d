import { type CompanyStory, loan, note, preferred, revenueShare, round, safe, testing } from '../story.ts'

/** The first company belongs to the demo's founder. Its raise has a reservation round, a Reg CF leg and a Reg D leg. */
export const CLIMATE: readonly CompanyStory[] = [
  {
    name: 'Brightkiln',
    slug: 'brightkiln',
    tagline: 'Electric kilns that fire brick and tile without gas',
    town: 'oakland',
    industries: ['climate_change', 'manufacturing', 'clean_tech', 'hardware'],
    models: ['b2b'],
    product: 'a kiln',
    about:
      'Brick and tile are fired with gas at 1,100 °C, around the clock. Brightkiln stores cheap night power in ' +
      'firebrick and gives it back as heat: nine makers in California fire with it today, and together they have ' +
      'signed letters for 41 more kilns. This round builds the second assembly line in Oakland.',
    rounds: [
      testing('reg_cf', 'safe', {
        target: 500_000,
        min: 100,
        count: 69,
        opened: 119,
        closing: 92,
        closed: 88,
        raise: 'seed',
      }),
      round('reg_cf', safe(14, 20), {
        target: 1_235_000,
        min: 250,
        count: 149,
        opened: 90,
        closes: -27,
        raise: 'seed',
        converted: 48,
      }),
      round('reg_d_506c', safe(14), {
        target: 2_000_000,
        min: 10_000,
        count: 20,
        opened: 61,
        closes: -27,
        accreditedOnly: true,
        raise: 'seed',
      }),
    ],
    past: [
      { exemption: 'reg_d_506b', raised: 650_000, investors: 11, closed: 610, ran: 95 },
      { exemption: 'other', raised: 120_000, investors: 4, closed: 1_010, ran: 30 },
    ],
  },
  {
    name: 'Tidewell',
    slug: 'tidewell',
    tagline: 'Solar desalination in a shipping container, for towns the pipeline forgot',
    town: 'san_diego',
    industries: ['clean_tech', 'infrastructure_and_construction', 'climate_change'],
    models: ['b2b', 'service'],
    product: 'a desalination unit',
    about:
      'One container makes 30,000 litres of drinking water a day from the sea or from brackish wells, with no diesel. ' +
      'Five units run in Baja California and on Molokaʻi; towns pay by the litre and we keep the equipment.',
    rounds: [round('reg_cf', safe(11, 15), { target: 1_070_000, min: 250, count: 45, opened: 74, closes: -32 })],
    past: [{ exemption: 'reg_cf', raised: 412_000, investors: 604, closed: 540, ran: 88 }],
  },
  {
    name: 'Loamworks',
    slug: 'loamworks',
    tagline: 'Biochar from orchard prunings, sold back to the orchard',
    town: 'fresno',
    industries: ['agriculture_and_agtech', 'climate_change', 'sustainability'],
    models: ['b2b', 'service'],
    product: 'a tonne of biochar',
    about:
      'Growers in the Central Valley may no longer burn their prunings. We char them at the edge of the field, return ' +
      'half as soil and sell the removed carbon. 1,900 acres are under contract for the coming winter.',
    rounds: [round('reg_cf', note(8, 20, '6'), { target: 618_000, min: 200, count: 32, opened: 52, closes: -48 })],
  },
  {
    name: 'Heatharbor',
    slug: 'heatharbor',
    tagline: 'Neighbourhood heat pumps that share one borehole field',
    town: 'burlington',
    industries: ['energy', 'infrastructure_and_construction', 'clean_tech'],
    models: ['b2b', 'service', 'subscription'],
    product: 'a heat network',
    about:
      'A street that shares one field of boreholes needs half the drilling. Heatharbor builds and owns the loop, and ' +
      'households pay a fixed monthly rate below what heating oil cost them. The first 64 homes have had two winters.',
    rounds: [
      round('reg_a', preferred('4.20', 46), { target: 6_000_000, min: 420, count: 63, opened: 102, closes: -80 }),
    ],
    past: [{ exemption: 'reg_d_506b', raised: 3_100_000, investors: 27, closed: 420, ran: 120 }],
  },
  {
    name: 'Second Current',
    slug: 'second-current',
    tagline: 'Tested, warrantied batteries from retired electric buses',
    town: 'detroit',
    industries: ['energy', 'transportation', 'sustainability', 'hardware'],
    models: ['b2b', 'ecommerce'],
    product: 'a battery cabinet',
    about:
      'Transit agencies retire bus batteries with three quarters of their life left. We test every module, build ' +
      'cabinets from them for workshops and cold stores, and give a ten-year warranty on each.',
    rounds: [round('reg_cf', loan('9.5', 36), { target: 750_000, min: 500, count: 28, opened: 66, closes: -21 })],
  },
  {
    name: 'Driftless Solar Commons',
    slug: 'driftless-solar-commons',
    tagline: 'Community solar gardens owned by the people who use them',
    town: 'milwaukee',
    industries: ['energy', 'clean_tech', 'sustainability'],
    models: ['subscription', 'b2c'],
    product: 'a share of a solar garden',
    about:
      'Renters and people with shaded roofs subscribe to panels in a field nearby and see the credit on their bill. ' +
      'Three gardens feed 1,140 households; the fourth has its grid connection and needs its racks.',
    rounds: [
      round('reg_cf', revenueShare('4', '1.6', true), {
        target: 900_000,
        min: 100,
        count: 49,
        opened: 83,
        closes: -14,
      }),
    ],
  },
  {
    name: 'Kelpline',
    slug: 'kelpline',
    tagline: 'Packaging film from farmed kelp that dissolves in cold water',
    town: 'portland_maine',
    industries: ['sustainability', 'manufacturing', 'consumer_goods'],
    models: ['b2b'],
    product: 'a roll of film',
    about:
      'Detergent and dye makers want sachets that leave nothing behind. Kelpline casts film from kelp grown in Casco ' +
      'Bay, and two detergent brands sell it. We are asking whether people would invest in a public round.',
    rounds: [testing('reg_cf', 'equity', { target: 1_500_000, min: 150, count: 45, opened: 31, closes: -60 })],
  },
  {
    name: 'Stillwater Grid',
    slug: 'stillwater-grid',
    tagline: 'Software that lets irrigation districts sell flexible demand to the grid',
    town: 'boise',
    industries: ['energy', 'agriculture_and_agtech', 'technology'],
    models: ['b2b', 'saas'],
    product: 'a pumping station',
    about:
      'Pumps can wait an hour, and the grid pays for that hour. Stillwater schedules 310 stations in Idaho and eastern ' +
      'Oregon, pays the districts every month and keeps a fifth.',
    rounds: [
      round('reg_d_506b', note(18, 15, '7'), {
        target: 2_500_000,
        min: 25_000,
        count: 11,
        opened: 70,
        listed: false,
        invited: 14,
      }),
    ],
  },
]
