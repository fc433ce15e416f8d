import { type CompanyStory, common, FUND, note, preferred, round, safe } from '../story.ts'

/**
 * Companies whose round is closed (one of these companies was sold later, and one was wound down), one company with an
 * open private round, and the funds that own parts of other companies.
 */
export const HISTORY: readonly CompanyStory[] = [
  {
    name: 'Wayfound',
    slug: 'wayfound',
    tagline: 'Indoor maps for people who cannot see the signs',
    town: 'seattle',
    industries: ['mobile_apps', 'technology', 'healthcare'],
    models: ['b2b', 'saas'],
    product: 'a building',
    about:
      'Wayfound guides by sound and touch through 900 stations, hospitals and museums. A mapping firm acquired it.',
    rounds: [
      round('reg_cf', preferred('0.75', 9), {
        target: 800_000,
        min: 100,
        count: 26,
        opened: 120,
        closing: 66,
        closed: 58,
      }),
    ],
  },
  {
    name: 'Grainshare',
    slug: 'grainshare',
    tagline: 'A grain elevator that its farmers own',
    town: 'minneapolis',
    industries: ['agriculture_and_agtech', 'fintech_and_finance'],
    models: ['marketplace', 'b2b'],
    product: 'a bushel',
    about:
      'Farmers store together and sell when the price suits them. The round closed above its target in nine weeks.',
    rounds: [
      round('reg_cf', common('10.00', 14), {
        target: 1_200_000,
        min: 100,
        count: 35,
        opened: 119,
        closing: 52,
        closed: 44,
      }),
    ],
  },
  {
    name: 'Lumen Street',
    slug: 'lumen-street',
    tagline: 'Street lamps that charge cars',
    town: 'jersey_city',
    industries: ['transportation', 'energy', 'infrastructure_and_construction'],
    models: ['b2b', 'service'],
    product: 'a lamp post',
    about:
      'Lumen Street put 220 chargers into lamp posts before the city took over the programme. The company was then wound down.',
    rounds: [
      round('reg_cf', note(10, 20, '6'), {
        target: 700_000,
        min: 100,
        count: 20,
        opened: 118,
        closing: 74,
        closed: 67,
      }),
    ],
  },
  {
    name: 'Second Shift',
    slug: 'second-shift',
    tagline: 'Shift swaps for hourly workers, agreed by text',
    town: 'chicago',
    industries: ['technology', 'mobile_apps'],
    models: ['saas', 'b2b'],
    product: 'a shift',
    about: 'Second Shift lets 88,000 people trade hours without asking a manager. The round closed last month.',
    rounds: [
      round('reg_d_506c', safe(19), {
        target: 2_000_000,
        min: 5_000,
        count: 12,
        opened: 105,
        closing: 38,
        closed: 29,
        accreditedOnly: true,
      }),
    ],
  },
  {
    name: 'Mosaic Mutual',
    slug: 'mosaic-mutual',
    tagline: 'Renters’ insurance that pays the same day',
    town: 'denver',
    industries: ['fintech_and_finance', 'technology'],
    models: ['b2c', 'subscription'],
    product: 'a policy',
    about: 'Claims under a thousand dollars are paid by the evening. This round is open to a few invited people.',
    rounds: [
      round('reg_cf', safe(15), {
        target: 500_000,
        min: 1_000,
        count: 10,
        opened: 40,
        closes: -35,
        listed: false,
        invited: 20,
      }),
    ],
  },
  {
    name: 'Harbor Street Climate Fund I',
    slug: 'harbor-street-climate-fund',
    tagline: 'Twelve early climate companies, one decision a month',
    town: 'san_francisco',
    industries: ['climate_change', 'clean_tech', 'fintech_and_finance'],
    models: ['service'],
    product: 'a unit of the fund',
    about: 'A closed fund of ten million dollars. It has made seven of its twelve investments.',
    fund: true,
    rounds: [
      round('reg_d_506c', FUND, {
        target: 10_000_000,
        min: 10_000,
        count: 15,
        opened: 92,
        closes: -88,
        accreditedOnly: true,
      }),
    ],
  },
  {
    name: 'Main Street Makers Fund',
    slug: 'main-street-makers-fund',
    tagline: 'Loans and shares for shops, kitchens and workshops',
    town: 'cleveland',
    industries: ['brick_and_mortar', 'fintech_and_finance', 'food_and_beverage'],
    models: ['service'],
    product: 'a unit of the fund',
    about:
      'A fund without an end date, for businesses with a shop or a workshop. Everyone may take part with one hundred dollars or more.',
    fund: true,
    rounds: [round('reg_cf', FUND, { target: 2_000_000, min: 100, count: 32, opened: 75, closes: -60 })],
  },
]
