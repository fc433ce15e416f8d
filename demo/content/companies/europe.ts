import { type CompanyStory, common, loan, note, preferred, revenueShare, round, testing } from '../story.ts'

/** European companies. All of them except Fjordlab raise in euros, under the European rules for crowdfunding. */
export const EUROPE: readonly CompanyStory[] = [
  {
    name: 'Holzweg',
    slug: 'holzweg',
    tagline: 'Wind-turbine towers of laminated timber',
    town: 'hamburg',
    industries: ['energy', 'manufacturing', 'climate_change'],
    models: ['b2b'],
    product: 'a tower',
    about:
      'A timber tower is a third taller than a steel tower and fits on an ordinary lorry. We built the first one near ' +
      'Stade in 2024. Customers have ordered four more.',
    rounds: [
      round('ecsp', preferred('24.00', 31), { target: 4_500_000, min: 240, count: 28, opened: 87, closes: -42 }),
    ],
  },
  {
    name: 'Atelier Vélo',
    slug: 'atelier-velo',
    tagline: 'Family cargo bikes, built and repaired in the same workshop',
    town: 'lyon',
    industries: ['transportation', 'manufacturing', 'sustainability'],
    models: ['b2c', 'retail', 'service'],
    product: 'a bike',
    about:
      'We have built 3,100 cargo bikes and repaired all of them. We have six workshops in France. This loan pays for the ' +
      'seventh and the eighth, in Grenoble and Turin.',
    rounds: [round('ecsp', loan('6.5', 48), { target: 900_000, min: 100, count: 24, opened: 53, closes: -37 })],
  },
  {
    name: 'Nordlys Batteri',
    slug: 'nordlys-batteri',
    tagline: 'Sodium batteries for houses in the cold',
    town: 'copenhagen',
    industries: ['energy', 'clean_tech', 'hardware'],
    models: ['b2b', 'b2c'],
    product: 'a battery',
    about:
      'Lithium batteries lose power below freezing, but sodium batteries do not. Nordlys sells through 90 installers in Denmark, Sweden and Norway ' +
      'and has 14 months of orders.',
    rounds: [round('ecsp', note(20, 15, '5'), { target: 2_000_000, min: 250, count: 21, opened: 45, closes: -45 })],
  },
  {
    name: 'Ría Azul',
    slug: 'ria-azul',
    tagline: 'Mussel rafts with sensors, and a price known before the harvest',
    town: 'bilbao',
    industries: ['food_tech', 'agriculture_and_agtech', 'technology'],
    models: ['b2b', 'marketplace'],
    product: 'a raft',
    about:
      'Families who have farmed mussels for four generations sell through Ría Azul before the harvest, with data from their ' +
      'own rafts. 410 rafts and 38 buyers use it, and the price list is ready at six in the morning.',
    rounds: [
      round('ecsp', revenueShare('3.5', '1.8'), { target: 600_000, min: 100, count: 17, opened: 32, closes: -58 }),
    ],
  },
  {
    name: 'Kleinwerk',
    slug: 'kleinwerk',
    tagline: 'Workshops by the hour, with the machine and the master',
    town: 'vienna',
    industries: ['education', 'manufacturing', 'brick_and_mortar'],
    models: ['subscription', 'b2c'],
    product: 'an hour at the lathe',
    about:
      'Kleinwerk has three halls, 140 machines, and a teacher for each of them. Members build furniture, boats and ' +
      'prototypes. We are asking who would join us in Berlin.',
    rounds: [testing('ecsp', 'equity', { target: 1_200_000, min: 100, count: 14, opened: 15, closes: -75 })],
  },
  {
    name: 'Fjordlab',
    slug: 'fjordlab',
    tagline: 'Fish feed from the gas that waste plants burn off',
    town: 'stockholm',
    industries: ['biotech', 'food_tech', 'sustainability'],
    models: ['b2b'],
    product: 'a tonne of feed',
    about:
      'Bacteria eat methane, and fish eat the bacteria, so no fish is caught to make feed. The plant in Luleå makes 800 tonnes a ' +
      'year. This offering was for investors outside the United States and is complete.',
    rounds: [
      round('reg_s', common('11.40', 44), {
        target: 3_000_000,
        min: 1_000,
        count: 16,
        opened: 110,
        closing: 30,
        closed: 18,
      }),
    ],
  },
]
