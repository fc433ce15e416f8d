/**
 * "Verifiers SHALL compare the prospective secret against a blocklist that contains known commonly used, expected, or compromised
 * passwords" (NIST SP 800-63B-4, 3.1.1.2). A password is rejected if it is famous, or if it consists only of these: at most two
 * common words, words from the name and the address of the account and from the platform's name, digits, repetitions and rows of
 * the keyboard. Three common words pass, and so do long numbers and many different signs.
 */
export function isCommonPassword(password: string, about: readonly string[] = []): boolean {
  const text = plain(password)
  if (FAMOUS.has(text.replace(/[^a-z0-9]/g, ''))) return true
  const own = new Set(about.flatMap(wordsOf))
  const words = (part: string) => wordsNeeded(part, own)
  // Checked twice: as the person typed it, and with digits and signs replaced by the letters they look like.
  return [text, unleeted(text)].some((reading) => {
    const parts = reading.split(/[^a-z\p{L}]+/u).filter((part) => part !== '')
    const stray = parts.filter((part) => part.length <= STRAY_CHARS).join('')
    if (isLongNumber(reading) || hasManySigns(reading) || stray.length > STRAY_LETTERS_MAX) return false
    return parts.reduce((sum, part) => sum + words(part), 0) <= COMMON_WORDS_MAX
  })
}

const COMMON_WORDS_MAX = 2
/** A few parts of at most two letters between digits and signs are ignored. */
const STRAY_CHARS = 2
const STRAY_LETTERS_MAX = 4
/** Famous examples of good passwords, which attackers therefore try. */
const FAMOUS = new Set(['correcthorsebatterystaple', 'tobeornottobe', 'maytheforcebewithyou', 'threelittlepigs'])

const plain = (text: string) => text.normalize('NFKC').toLowerCase()

const LEET: Readonly<Record<string, string>> = {
  ...{ '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't', '8': 'b', '9': 'g' },
  ...{ '@': 'a', $: 's', '!': 'i', '+': 't', '€': 'e', '|': 'l' },
}
const unleeted = (text: string) => text.replace(/[^\p{L}\s]/gu, (sign) => LEET[sign] ?? sign)

/** A number that attackers' lists do not contain: more than twelve digits, at least five of them different, and no run. */
function isLongNumber(text: string): boolean {
  const digits = text.replace(/\D/g, '')
  return digits.length > 12 && new Set(digits).size > 4 && !isRun(digits)
}

/** More than six different signs that are neither letters nor digits. */
const hasManySigns = (text: string) => new Set(text.replace(/[\p{L}\p{N}\s]/gu, '')).size > 6

const NEVER = Number.POSITIVE_INFINITY

/** How many common words these letters consist of; infinite if a part of them is not a common word. */
function wordsNeeded(letters: string, own: ReadonlySet<string>): number {
  if (letters.length <= STRAY_CHARS || isRun(letters)) return 0
  const chars = [...letters]
  // `costs[end]` is the lowest number of common words that make up the first `end` characters.
  const costs = [0]
  for (let end = 1; end <= chars.length; end++) {
    const ways = costs.map((cost, start) => cost + costOf(chars.slice(start, end).join(''), own))
    costs.push(Math.min(...ways))
  }
  return costs.at(-1) ?? NEVER
}

/** How many common words this piece counts as: 0 for the account's own words and for runs, infinite for an unknown piece. */
function costOf(piece: string, own: ReadonlySet<string>): number {
  if (own.has(piece) || (piece.length >= 3 && isRun(piece))) return 0
  return COMMON_WORDS.has(piece) ? 1 : NEVER
}

const ROWS = [
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qwertzuiop',
  'azertyuiop',
  '01234567890',
]

/** One character repeated, a short piece repeated, or neighbours in the alphabet or on a keyboard. */
function isRun(text: string): boolean {
  if (/^(.{1,12})\1+$/u.test(text)) return true
  const turned = [...text].reverse().join('')
  return text.length >= 3 && ROWS.some((row) => (row + row).includes(text) || (row + row).includes(turned))
}

/** "ada.lovelace@fieldbook.example" gives ada, lovelace, fieldbook and example, and all its letters as one word. */
function wordsOf(text: string): readonly string[] {
  const whole = plain(text)
  const parts = whole.split(/[^\p{L}]+/u)
  return [...parts, whole.replace(/[^\p{L}]/gu, '')].filter((word) => word.length >= 2)
}

/**
 * Words that attackers try first: keyboard rows, greetings, names, months, places, animals, teams, games. We wrote the list of
 * words instead of using a list of whole passwords, which lacks most variations. Two words with any number between them cover
 * millions of passwords.
 */
const WORDS = `
password passwort passwd motdepasse contrasena wachtwoord parola senha haslo secret geheim login signin welcome willkommen bienvenue
admin administrator root user guest test tester testing demo default changeme letmein access enter open sesame master system server
qwerty qwertyuiop qwertz qwertzuiop azerty azertyuiop asdf asdfgh asdfghjkl zxcv zxcvbn zxcvbnm qazwsx wsxedc poiuytrewq lkjhgfdsa mnbvcxz
iloveyou ilove youlove loveyou love lover loveme forever always never hello hallo bonjour hola ciao goodbye please thanks thankyou
sunshine rainbow princess prince queen king angel angels baby babygirl babyboy sweet sweetie honey sugar candy cookie chocolate vanilla
summer winter spring autumn january february march april may june july august september october november december
monday tuesday wednesday thursday friday saturday sunday today tomorrow yesterday morning night evening weekend holiday vacation
football baseball basketball soccer hockey tennis golf rugby cricket volleyball swimming running fishing hunting racing skiing sports
liverpool arsenal chelsea barcelona madrid juventus bayern dortmund milan inter ajax celtic rangers everton united city lakers yankees
cowboys steelers eagles patriots packers raiders broncos giants dolphins bears bulls heat spurs warriors
dragon monkey tiger lion bear wolf eagle falcon shark dolphin whale horse pony dog doggy puppy cat kitty kitten bunny rabbit mouse
elephant giraffe zebra panda koala penguin turtle snake spider butterfly bird chicken duck pig cow sheep goat fox deer buffalo
batman superman spiderman ironman hulk thor avengers marvel joker robin starwars skywalker yoda vader jedi startrek matrix hobbit gandalf
harrypotter potter hermione hogwarts pokemon pikachu mario luigi sonic zelda minecraft fortnite roblox warcraft starcraft diablo halo
michael jennifer jessica ashley matthew joshua daniel david christopher andrew james robert john joseph william thomas charles richard
george edward henry peter paul mark steven kevin brian jason justin brandon ryan eric adam anthony benjamin nicholas samuel alexander
alex max leo jack harry oliver charlie oscar lucas noah liam ethan mason jacob logan aiden hunter tyler dylan austin jordan taylor
maria anna julia laura sarah sara emma emily sophie sophia olivia isabella mia chloe hannah lucy grace lily ella amelia charlotte victoria
elizabeth mary patricia linda barbara susan margaret lisa nancy karen betty helen sandra donna carol ruth sharon michelle kimberly
amanda melissa stephanie rebecca nicole samantha katherine christine rachel megan lauren natalie alice eva nina tanya olga irina svetlana
ivan sergey dmitry andrey vladimir natasha marie pierre jean louis claude francois nicolas antoine camille manon lea hugo jules
hans peter klaus jurgen stefan andreas markus thomas martin wolfgang sabine petra monika claudia heike katrin
carlos juan jose luis miguel pedro antonio manuel francisco alejandro fernando diego pablo sofia lucia carmen rosa isabel
giuseppe marco luca giovanni francesco alessandro andrea matteo giulia chiara sara martina valentina
mohammed muhammad ahmed ali omar hassan hussein fatima aisha khan singh kumar patel sharma rahul priya amit anita sanjay
smith johnson williams brown jones miller davis wilson moore anderson jackson white harris martin thompson garcia martinez robinson
clark lewis lee walker hall allen young wright scott green baker adams nelson carter mitchell roberts turner phillips campbell parker evans
london paris berlin rome madrid newyork york chicago boston dallas houston texas florida california denver seattle atlanta toronto canada
america england france germany spain italy russia china japan india brazil mexico australia ireland scotland europe africa asia earth world
mother father mum mom mommy daddy dad papa mama brother sister family wife husband son daughter friend friends girlfriend boyfriend
red blue green yellow orange purple pink black white silver gold golden brown grey gray violet
apple banana orange cherry strawberry lemon peach mango coconut pepper ginger cinnamon coffee tea beer wine vodka whiskey pizza burger
cheese butter bread chicken taco burrito pasta noodle sushi
money cash dollar euro bitcoin crypto million millionaire billion bank invest investor investment investing startup founder company business
office work worker manager boss director finance account accounts accountant sales marketing support service customer
computer laptop internet network google facebook twitter instagram youtube amazon microsoft windows apple android iphone samsung nokia
linux ubuntu oracle cisco intel dell sony nintendo playstation xbox steam spotify netflix tesla ferrari porsche mercedes bmw audi toyota
honda ford mustang corvette camaro chevrolet chevy harley davidson yamaha ducati nissan mazda volkswagen
music guitar piano drums rock metal metallica nirvana beatles elvis eminem rihanna beyonce madonna shakira jazz blues dance dancer disco
god jesus christ lord heaven hell devil satan angel faith hope trust believe church bible amen blessed buddha allah
sexy sex hot hottie beautiful pretty cute lovely handsome gorgeous fuck fucker fuckyou shit bitch asshole dick pussy
happy lucky smile funny crazy cool awesome great best super mega ultra power strong stronger winner champion hero legend
magic wizard witch ghost zombie vampire ninja samurai pirate warrior soldier killer hunter ranger knight phoenix unicorn dreamer dream
star stars moon sun sky cloud rain snow ice fire flame water ocean sea beach island river lake mountain forest flower rose lily daisy tulip
shadow dark darkness light bright storm thunder lightning wind hurricane tornado
diamond ruby pearl crystal amber jade emerald sapphire
freedom liberty justice peace war victory glory honor truth
purple cowboy rocket turbo nitro racer biker trucker captain pilot doctor nurse teacher student school college university
one two three four five six seven eight nine ten eleven twelve hundred thousand
first last new old big small little long short fast slow good bad my your the this that mine yours me you we and for with from
pass word key code pin lock unlock safe secure security private personal hidden
abc abcd abcdef abcdefg abcdefgh xyz aaa bbb ccc xxx zzz
portico crowdfunding syndicate equity dividend shares platform partner developer webhook token
`

export const COMMON_WORDS: ReadonlySet<string> = new Set(WORDS.split(/\s+/).filter((word) => word.length >= 2))
