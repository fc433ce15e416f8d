import { type CompanyStory, common, loan, other, revenueShare, round, safe, testing } from '../story.ts'

/** Companies of many trades. Two of the rounds were canceled, one is closing, and one opens next week. */
export const PLACES: readonly CompanyStory[] = [
  {
    name: 'The Ninth Ward Cinema',
    slug: 'ninth-ward-cinema',
    tagline: 'The neighbourhood’s own picture house, open again',
    town: 'new_orleans',
    industries: ['film', 'entertainment', 'brick_and_mortar'],
    models: ['b2c', 'retail'],
    product: 'a seat',
    about:
      'The cinema closed in 2005. 900 people from the neighbourhood bought it and opened it again, with two screens and a ' +
      'bar. This round pays for a balcony with 80 seats, which pay for the film school on Saturday mornings.',
    rounds: [round('reg_cf', loan('6', 60), { target: 220_000, min: 100, count: 29, opened: 46, closes: -33 })],
  },
  {
    name: 'Redwood Childcare Co-op',
    slug: 'redwood-childcare',
    tagline: 'Nurseries owned by the parents and the people who work there',
    town: 'oakland',
    industries: ['childcare', 'education', 'brick_and_mortar'],
    models: ['subscription', 'service'],
    product: 'a place for a child',
    about:
      'We have four nurseries with 212 children. 9 % of our staff leave in a year, compared with 40 % in the trade. The city ' +
      'rents us a building for the fifth at one dollar a year. It needs a kitchen and a garden.',
    rounds: [
      round(
        'reg_cf',
        other('Investment shares', 'Non-voting shares of the cooperative with a target dividend of 4 % a year.'),
        { target: 450_000, min: 250, count: 22, opened: 79, closes: -11 },
      ),
    ],
  },
  {
    name: 'Pine Barrens Records',
    slug: 'pine-barrens-records',
    tagline: 'A pressing plant for records in runs of a hundred',
    town: 'philadelphia',
    industries: ['music', 'manufacturing', 'media'],
    models: ['b2b', 'ecommerce'],
    product: 'a pressing',
    about:
      'Bands wait nine months because the big plants press tens of thousands. Our two presses make a hundred at a time ' +
      'in three weeks, from vinyl we regrind ourselves. They are booked until March.',
    rounds: [
      round('reg_cf', revenueShare('5', '1.7', true), {
        target: 320_000,
        min: 100,
        count: 26,
        opened: 38,
        closes: -50,
      }),
    ],
  },
  {
    name: 'Slate & Sapling',
    slug: 'slate-and-sapling',
    tagline: 'Starter homes of timber, forty to an acre, with a garden each',
    town: 'boise',
    industries: ['real_estate', 'infrastructure_and_construction', 'sustainability'],
    models: ['b2c'],
    product: 'a home',
    about:
      'People should not need two incomes to buy a first home. We build our kits in nine days on plots of land trusts, and ' +
      '120 families live in one. This offering funds the next three streets.',
    rounds: [round('reg_a', loan('7.25', 36), { target: 8_000_000, min: 500, count: 36, opened: 107, closes: -65 })],
  },
  {
    name: 'Halftime',
    slug: 'halftime',
    tagline: 'Youth sport for families who cannot pay for travel teams',
    town: 'dallas',
    industries: ['sports', 'sports_tech', 'education'],
    models: ['subscription', 'b2c'],
    product: 'a season',
    about:
      'Halftime runs leagues on school fields, coached by paid college players, at a tenth of what clubs cost. 18,400 ' +
      'children play in Texas and Oklahoma.',
    rounds: [round('reg_cf', safe(10, 15), { target: 750_000, min: 100, count: 27, opened: 29, closes: -61 })],
  },
  {
    name: 'Juniper & June',
    slug: 'juniper-and-june',
    tagline: 'Skin care made in the week it is ordered, in glass that comes back',
    town: 'louisville',
    industries: ['beauty', 'consumer_goods', 'sustainability'],
    models: ['ecommerce', 'b2c', 'subscription'],
    product: 'a jar',
    about:
      'We need no preservatives, because no jar waits on a shelf. Every Monday we make the orders of the week before. ' +
      'Customers send back 62 % of the jars, and we fill them again.',
    rounds: [round('reg_cf', common('0.88', 6.5), { target: 400_000, min: 88, count: 24, opened: 60, closes: -26 })],
  },
  {
    name: 'Hearth & Hinge',
    slug: 'hearth-and-hinge',
    tagline: 'Door locks that a landlord can hand over and a tenant can trust',
    town: 'atlanta',
    industries: ['home_tech', 'hardware', 'real_estate'],
    models: ['b2b', 'subscription'],
    product: 'a lock',
    about:
      'Our lock has no log: it opens for the person with the key and records nothing. 30,000 flats have one. The company ' +
      'asked not to be featured and raises from its tenants and its installers.',
    quiet: true,
    rounds: [round('reg_cf', safe(13), { target: 800_000, min: 100, count: 15, opened: 34, closes: -46 })],
  },
  {
    name: 'Tallgrass Festival',
    slug: 'tallgrass-festival',
    tagline: 'Four days of music on a farm that stays a farm',
    town: 'minneapolis',
    industries: ['events_and_festivals', 'music', 'entertainment'],
    models: ['b2c'],
    product: 'a festival',
    about:
      'Nine thousand people come, no band gets more than fifty thousand dollars, and by August the field grows hay again. ' +
      'The round was canceled when the county withdrew the permit, and everyone was refunded.',
    rounds: [
      round('reg_cf', revenueShare('8', '1.3'), { target: 350_000, min: 100, count: 23, opened: 97, canceled: 41 }),
    ],
  },
  {
    name: 'Common Thread Mill',
    slug: 'common-thread-mill',
    tagline: 'The last wool mill in New England, run by its weavers',
    town: 'providence',
    industries: ['fashion', 'manufacturing'],
    models: ['b2b', 'ecommerce'],
    product: 'a bolt of cloth',
    about:
      'When the owner retired, 31 weavers bought the looms. Two seasons later we have enough orders, but our boiler is from ' +
      '1961. The round has reached its target, and the funds will be released soon.',
    rounds: [round('reg_cf', common('5.00', 4.1), { target: 500_000, min: 100, count: 37, opened: 112, closing: 6 })],
  },
  {
    name: 'Skipjack Ferries',
    slug: 'skipjack-ferries',
    tagline: 'Electric ferries for rivers that used to have one',
    town: 'baltimore',
    industries: ['transportation', 'clean_tech', 'travel_and_tourism'],
    models: ['b2c', 'service'],
    product: 'a crossing',
    about:
      'Skipjack crosses the harbour every twelve minutes on 40 kWh a day. Four more cities have asked. The offering is ' +
      'prepared and opens next week.',
    rounds: [round('reg_cf', safe(17, 20), { target: 1_235_000, min: 100, count: 0, opened: -7, closes: -100 })],
  },
  {
    name: 'Lowcountry Ice',
    slug: 'lowcountry-ice',
    tagline: 'Block ice for fishermen, made by the tide',
    town: 'atlanta',
    industries: ['food_and_beverage', 'energy', 'manufacturing'],
    models: ['b2b'],
    product: 'a block of ice',
    about:
      'A tide mill drives a compressor that makes ice, so the fishermen need no diesel for it. Too few people were ' +
      'interested, so we canceled the round.',
    rounds: [testing('reg_cf', 'revenue_share', { target: 200_000, min: 100, count: 9, opened: 90, canceled: 52 })],
  },
]
