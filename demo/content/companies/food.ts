import { type CompanyStory, common, loan, preferred, revenueShare, round, safe, testing } from '../story.ts'

export const FOOD: readonly CompanyStory[] = [
  {
    name: 'Marrow & Rye',
    slug: 'marrow-and-rye',
    tagline: 'A bakery-restaurant in the East End that mills its own grain',
    town: 'portland_maine',
    industries: ['restaurant', 'food_and_beverage', 'brick_and_mortar'],
    models: ['b2c', 'retail'],
    product: 'a loaf',
    about:
      'We have milled Maine rye on Congress Street for six years and sell out by eleven. The lease next door gives us ' +
      'forty seats, an oven twice the size, and dinner five nights a week.',
    rounds: [
      round('reg_cf', revenueShare('5', '1.5'), { target: 250_000, min: 100, count: 48, opened: 58, closes: -19 }),
    ],
  },
  {
    name: 'Copperline Brewing',
    slug: 'copperline-brewing',
    tagline: 'Low-water lagers brewed where the copper mine was',
    town: 'tucson',
    industries: ['brewery', 'alcohol_and_vice', 'food_and_beverage'],
    models: ['b2c', 'retail', 'b2b'],
    product: 'a barrel of beer',
    about:
      'A pint usually takes seven pints of water; ours takes three. Copperline sells in 210 bars and shops in southern ' +
      'Arizona and is buying the canning line it has rented for two years.',
    rounds: [round('reg_cf', common('3.75', 9.4), { target: 480_000, min: 150, count: 55, opened: 95, closes: -9 })],
    past: [{ exemption: 'reg_cf', raised: 236_500, investors: 431, closed: 700, ran: 75 }],
  },
  {
    name: 'Saltgrass Oysters',
    slug: 'saltgrass-oysters',
    tagline: 'Shellfish farms that rebuild the reef they grow beside',
    town: 'new_orleans',
    industries: ['food_and_beverage', 'sustainability', 'climate_change'],
    models: ['b2b', 'ecommerce'],
    product: 'a dozen oysters',
    about:
      'For every cage of oysters we sell, one goes onto the reef. Saltgrass holds 88 acres of leases east of the river ' +
      'and ships overnight to restaurants in eleven states.',
    rounds: [round('reg_cf', loan('8', 48), { target: 400_000, min: 250, count: 25, opened: 44, closes: -41 })],
  },
  {
    name: 'Harvest Ledger',
    slug: 'harvest-ledger',
    tagline: 'One order book for small farms and the kitchens near them',
    town: 'minneapolis',
    industries: ['food_tech', 'agriculture_and_agtech', 'technology'],
    models: ['marketplace', 'saas', 'b2b'],
    product: 'a weekly order',
    about:
      'Chefs order by text until ten at night; farms pick at five. Harvest Ledger turns 14 phone calls into one list, ' +
      'a route and an invoice. 340 farms and 520 kitchens use it every week in the upper Midwest.',
    rounds: [round('reg_cf', safe(9, 20), { target: 700_000, min: 100, count: 38, opened: 39, closes: -55 })],
  },
  {
    name: 'Umami Yard',
    slug: 'umami-yard',
    tagline: 'Gourmet mushrooms grown in the basements of empty offices',
    town: 'chicago',
    industries: ['food_tech', 'agriculture_and_agtech', 'real_estate'],
    models: ['b2b', 'subscription'],
    product: 'a grow room',
    about:
      'Downtown has the space, the power and the customers upstairs. Umami Yard runs six basements in the Loop and ' +
      'delivers lion’s mane and oyster mushrooms by cargo bike the morning they are cut.',
    rounds: [
      testing('reg_cf', 'safe', {
        target: 300_000,
        min: 100,
        count: 35,
        opened: 117,
        closing: 80,
        closed: 78,
        raise: 'first',
      }),
      round('reg_cf', safe(6, 20), {
        target: 535_000,
        min: 100,
        count: 52,
        opened: 76,
        closes: -12,
        raise: 'first',
        converted: 22,
      }),
    ],
  },
  {
    name: 'Orchard Street Kitchen',
    slug: 'orchard-street-kitchen',
    tagline: 'A shared kitchen where first-time cooks open a restaurant for one night',
    town: 'new_york',
    industries: ['cafe_and_food_truck', 'food_and_beverage', 'events_and_festivals'],
    models: ['marketplace', 'b2c'],
    product: 'a night in the kitchen',
    about:
      'Sixty cooks have opened for a night, eleven have signed a lease of their own. The second kitchen is in Queens, ' +
      'twice as large, and has 40 nights booked before its gas is connected.',
    rounds: [
      round('reg_cf', revenueShare('6', '1.4'), { target: 180_000, min: 100, count: 22, opened: 27, closes: -62 }),
    ],
  },
  {
    name: 'Fathom Foods',
    slug: 'fathom-foods',
    tagline: 'Noodles and broth made from the seaweed other people throw away',
    town: 'seattle',
    industries: ['food_tech', 'food_and_beverage', 'consumer_goods'],
    models: ['b2c', 'ecommerce', 'retail'],
    product: 'a case of noodles',
    about:
      'Fathom buys trimmings from kelp farms and makes instant noodles with a third of the salt. They are in 1,300 ' +
      'stores of three chains, and the reorder rate after twelve weeks is 71 %.',
    rounds: [
      round('reg_cf', preferred('1.85', 12.2), { target: 1_235_000, min: 185, count: 59, opened: 109, closes: -4 }),
    ],
  },
  {
    name: 'Blue Agave Still',
    slug: 'blue-agave-still',
    tagline: 'Small-batch agave spirit from plants grown on Texas rangeland',
    town: 'san_antonio',
    industries: ['distillery_and_vineyards', 'alcohol_and_vice', 'food_and_beverage'],
    models: ['b2b', 'retail'],
    product: 'a barrel of spirit',
    about:
      'Agave needs no irrigation and nine years of patience. The first plants were set in 2017; the first bottling won ' +
      'double gold in San Francisco. We are raising for barrels and a tasting room, from people who can wait.',
    quiet: true,
    rounds: [round('reg_cf', common('12.50', 7.8), { target: 350_000, min: 250, count: 18, opened: 48, closes: -30 })],
  },
]
