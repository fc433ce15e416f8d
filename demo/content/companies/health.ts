import { type CompanyStory, common, note, other, preferred, round, safe, testing } from '../story.ts'

export const HEALTH: readonly CompanyStory[] = [
  {
    name: 'Lantern Sleep',
    slug: 'lantern-sleep',
    tagline: 'A bedside lamp that treats night-shift insomnia with light alone',
    town: 'boston',
    industries: ['healthcare', 'hardware', 'health_and_fitness'],
    models: ['b2b', 'b2c'],
    product: 'a lamp',
    about:
      'Nurses and drivers who work nights sleep two hours less than the rest of us. In a trial with 212 of them Lantern ' +
      'gave back 74 minutes. Two hospital groups lease it for their staff.',
    rounds: [round('reg_cf', safe(16, 15), { target: 1_500_000, min: 250, count: 51, opened: 80, closes: -25 })],
    past: [{ exemption: 'reg_d', raised: 1_450_000, investors: 19, closed: 480, ran: 60 }],
  },
  {
    name: 'Cantilever Health',
    slug: 'cantilever-health',
    tagline: 'Physical therapy at home, with a therapist who watches every repetition',
    town: 'nashville',
    industries: ['healthcare', 'health_and_fitness', 'mobile_apps'],
    models: ['subscription', 'b2b', 'service'],
    product: 'a course of therapy',
    about:
      'Most people stop after three visits because the clinic is an hour away. Cantilever sends a camera, a plan and a ' +
      'licensed therapist; 83 % finish. Four insurers pay for it in Tennessee, Georgia and Kentucky.',
    rounds: [
      round('reg_d_506c', preferred('2.31', 28), {
        target: 4_000_000,
        min: 5_000,
        count: 24,
        opened: 64,
        closes: -36,
        accreditedOnly: true,
      }),
    ],
  },
  {
    name: 'Petri & Sons',
    slug: 'petri-and-sons',
    tagline: 'A dental practice that comes to the school gym',
    town: 'cleveland',
    industries: ['healthcare', 'childcare', 'brick_and_mortar'],
    models: ['service', 'b2b'],
    product: 'a school visit',
    about:
      'One child in five here has never seen a dentist. We have two vans, four chairs and contracts with 96 schools, and ' +
      'Medicaid pays for each visit. This round pays for a third van, its driver and its hygienist.',
    rounds: [round('reg_cf', note(5, 15, '8'), { target: 300_000, min: 100, count: 29, opened: 33, closes: -57 })],
  },
  {
    name: 'Ferrous Diagnostics',
    slug: 'ferrous-diagnostics',
    tagline: 'A finger-prick test for iron deficiency, read by any phone',
    town: 'san_francisco',
    industries: ['biotech', 'healthcare', 'mobile_apps'],
    models: ['b2c', 'b2b'],
    product: 'a test',
    about:
      'Two billion people are short of iron and most do not know. Ferrous reads a paper strip with the camera of ' +
      'a phone. The FDA cleared it in spring, and customers have ordered 40,000 tests.',
    rounds: [
      round('reg_cf', preferred('0.96', 21), {
        target: 2_400_000,
        min: 240,
        count: 74,
        opened: 118,
        closing: 34,
        closed: 22,
      }),
      round('reg_d_506b', preferred('0.96', 21), {
        target: 3_000_000,
        min: 25_000,
        count: 8,
        opened: 100,
        closing: 34,
        closed: 22,
        listed: false,
        invited: 12,
      }),
    ],
  },
  {
    name: 'Wintergreen Memory Care',
    slug: 'wintergreen-memory-care',
    tagline: 'Small houses for twelve, instead of wards for sixty',
    town: 'raleigh',
    industries: ['healthcare', 'real_estate', 'brick_and_mortar'],
    models: ['service', 'b2c'],
    product: 'a house',
    about:
      'People with dementia do better in a house with a kitchen than on a corridor with a desk. Wintergreen runs three ' +
      'houses, all full, with a list of 58 families. The fourth has its licence.',
    rounds: [
      round(
        'reg_cf',
        other('Membership units', 'Class B units of the operating company with a preferred return of 7 % a year.'),
        { target: 1_000_000, min: 500, count: 21, opened: 56, closes: -39 },
      ),
    ],
  },
  {
    name: 'Quietude',
    slug: 'quietude',
    tagline: 'Hearing protection that lets the music through',
    town: 'austin',
    industries: ['music', 'hardware', 'health_and_fitness'],
    models: ['b2c', 'ecommerce'],
    product: 'a pair of earplugs',
    about:
      'Foam plugs make a concert sound like a phone call. Ours take off eighteen decibels evenly, cost less than a ' +
      'ticket, and last for years. We have sold 96,000 pairs, a fifth of them to people who bought before.',
    rounds: [round('reg_cf', safe(7, 20), { target: 535_000, min: 100, count: 44, opened: 21, closes: -69 })],
  },
  {
    name: 'Mendable',
    slug: 'mendable',
    tagline: 'Prosthetic sockets that are printed, fitted and adjusted in one visit',
    town: 'salt_lake_city',
    industries: ['healthcare', 'manufacturing', 'robotics'],
    models: ['b2b', 'service'],
    product: 'a socket',
    about:
      'A socket takes seven visits and three months. Mendable scans, prints and adjusts while the patient waits; nine ' +
      'clinics in the mountain states use it and are paid by the usual codes.',
    rounds: [testing('reg_a', 'equity', { target: 5_000_000, min: 200, count: 34, opened: 26, closes: -90 })],
  },
  {
    name: 'Pawprint Clinics',
    slug: 'pawprint-clinics',
    tagline: 'Veterinary visits with the price on the door',
    town: 'phoenix',
    industries: ['pets', 'healthcare', 'brick_and_mortar'],
    models: ['subscription', 'b2c', 'retail'],
    product: 'a visit',
    about:
      'People should know the price before the visit. We have five clinics with 11,200 pets on a monthly plan, and our vets ' +
      'own a share of their practice. The sixth clinic opens in Mesa.',
    rounds: [round('reg_cf', common('2.10', 15), { target: 1_070_000, min: 210, count: 47, opened: 88, closes: -17 })],
  },
]
