/** Given names and family names of one origin, and the towns where such a person may live. */
export type Origin = {
  readonly given: readonly string[]
  readonly family: readonly string[]
  readonly homes: readonly string[]
}

const words = (text: string) => text.split(' ')

export const ORIGINS: readonly Origin[] = [
  {
    given: words('Grace Caleb Hannah Marcus Abigail Wesley Tamara Dwight Elena Curtis Naomi Russell Paige Leland'),
    family: words('Whitaker Holloway Prescott Beaumont Tillman Garrison Ashby Langford Mercer Pruitt Dalton Sayers'),
    homes: words('portland austin boston denver minneapolis nashville raleigh'),
  },
  {
    given: words('Adaeze Chidi Ngozi Emeka Ifeoma Obinna Temitope Babajide Folake Segun Yetunde Kelechi'),
    family: words('Okafor Adeyemi Nwosu Balogun Eze Olawale Achebe Ogunleye Umeh Afolabi Danjuma Ezeigbo'),
    homes: words('houston atlanta london baltimore lagos'),
  },
  {
    given: words('Ananya Rohan Kavya Arjun Meera Vikram Lakshmi Sanjay Divya Nikhil Pooja Harish Leela Tarun'),
    family: words('Raman Iyer Deshpande Kulkarni Menon Chatterjee Banerjee Nair Bhatt Reddy Malhotra Pillai Joshi'),
    homes: words('san_jose seattle chicago jersey_city london toronto'),
  },
  {
    given: words(
      'Camila Mateo Valentina Joaquín Lucía Emiliano Ximena Rodrigo Marisol Andrés Paloma Tomás Renata Iván',
    ),
    family: words('Reyes Castañeda Morales Villanueva Ibarra Salcedo Quintero Fuentes Ochoa Treviño Benítez Arroyo'),
    homes: words('san_antonio los_angeles phoenix chicago miami madrid'),
  },
  {
    given: words('Wei Mei Jun Xiuying Hao Lihua Jing Bowen Yan Zhihao Qing Ruoxi'),
    family: words('Chen Liang Zhou Huang Lin Xu Tang Zheng Feng Cao Deng Song'),
    homes: words('oakland seattle new_york boston vancouver'),
  },
  {
    given: words('Soo-jin Min-ho Ji-woo Hyun-woo Eun-ji Tae-yang Seo-yeon Dong-hyun Ha-eun Joon'),
    family: words('Kim Park Choi Jung Kang Yoon Han Shin Bae Seo'),
    homes: words('los_angeles new_york atlanta seattle'),
  },
  {
    given: words('Haruka Kenji Yuki Takumi Sakura Hiroshi Aiko Daichi Naoko Ren'),
    family: words('Tanaka Nakamura Fujimoto Ishikawa Morita Hayashi Kobayashi Shimizu Ueda Okada'),
    homes: words('san_francisco honolulu portland new_york'),
  },
  {
    given: words('Linh Minh Thuy Quang Huong Tuan Mai Duc Lan Phuc'),
    family: words('Nguyen Tran Pham Vo Dang Bui Ngo Duong Huynh Doan'),
    homes: words('san_jose houston seattle denver'),
  },
  {
    given: words('Leila Omar Yasmin Khalil Nour Sami Hala Tariq Rania Bilal Dina Ziad'),
    family: words('Haddad Khoury Mansour Nasser Saleh Farouk Hamdan Darwish Kassem Rahal Aziz Bishara'),
    homes: words('detroit chicago new_york london lyon'),
  },
  {
    given: words('Shirin Kaveh Parisa Arash Niloufar Babak Azadeh Farhad'),
    family: words('Ahmadi Rostami Kazemi Tehrani Sohrabi Moradi Jafari Farrokhzad'),
    homes: words('los_angeles vancouver washington stockholm'),
  },
  {
    given: words('Anneke Lukas Frieda Matthias Johanna Sebastian Greta Tobias Marlene Florian Katrin Jörg'),
    family: words('Brandt Lehmann Voss Schreiber Kessler Hartmann Vogel Lorenz Albrecht Winkler Engel Böhm'),
    homes: words('berlin hamburg vienna chicago'),
  },
  {
    given: words('Camille Étienne Margaux Théo Solène Bastien Clémence Antoine Maëlle Gaspard'),
    family: words('Delacroix Marchand Lefèvre Rousseau Girard Fontaine Mercier Chevalier Perrin Aubert'),
    homes: words('lyon paris montreal brussels'),
  },
  {
    given: words('Chiara Lorenzo Giulia Matteo Francesca Davide Ilaria Stefano Beatrice Nicolò'),
    family: words('Moretti Ferrari Galli Rinaldi Conti Marchetti Bellini Vitale Sartori Fabbri'),
    homes: words('milan turin new_york providence'),
  },
  {
    given: words('Agnieszka Piotr Zofia Tomasz Magdalena Krzysztof Hanna Wojciech'),
    family: words('Kowalski Zieliński Nowak Wójcik Lewandowski Kamiński Sikora Pawlak'),
    homes: words('warsaw chicago milwaukee'),
  },
  {
    given: words('Oksana Taras Iryna Bohdan Kateryna Andriy Daria Maksym'),
    family: words('Shevchenko Kovalenko Bondarenko Melnyk Tkachenko Marchenko Lysenko Hrytsenko'),
    homes: words('warsaw philadelphia toronto berlin'),
  },
  {
    given: words('Astrid Erik Ingrid Lars Freja Magnus Sigrid Henrik Liv Anders'),
    family: words('Lindqvist Sørensen Bergström Haugen Nyström Dahl Ekholm Kristensen Solberg Holm'),
    homes: words('stockholm copenhagen minneapolis'),
  },
  {
    given: words('Beatriz Thiago Larissa Rafael Juliana Caio Fernanda Gustavo'),
    family: words('Cavalcanti Barbosa Teixeira Monteiro Figueiredo Carvalho Nogueira Sampaio'),
    homes: words('miami boston lisbon'),
  },
  {
    given: words('Selam Dawit Hiwot Yonas Tigist Abel Mekdes Bereket'),
    family: words('Tesfaye Bekele Girma Haile Tadesse Alemu Worku Desta'),
    homes: words('washington minneapolis seattle'),
  },
  {
    given: words('Wanjiru Kamau Achieng Otieno Njeri Mwangi Akinyi Kiprop'),
    family: words('Kariuki Odhiambo Mutua Wekesa Ndungu Cheruiyot Onyango Githinji'),
    homes: words('nairobi boston dallas'),
  },
  {
    given: words('Ama Kwame Abena Kofi Efua Yaw Akosua Kojo'),
    family: words('Mensah Owusu Boateng Asante Appiah Agyeman Osei Darko'),
    homes: words('new_york atlanta london'),
  },
  {
    given: words('Maricel Jericho Luzviminda Rafael Tala Benigno Imelda Crisanto'),
    family: words('Santos Dela-Cruz Bautista Villareal Mendoza Aquino Salonga Manalo'),
    homes: words('san_diego honolulu las_vegas'),
  },
  {
    given: words('Elif Emre Zeynep Kerem Defne Baran Selin Ozan'),
    family: words('Yılmaz Demir Kaya Aydın Öztürk Arslan Doğan Çelik'),
    homes: words('berlin new_york london'),
  },
  {
    given: words('Rivka Ari Talia Noam Shira Eitan Miriam Ezra'),
    family: words('Goldfarb Levin Abramson Katz Rosenthal Shapiro Feldman Mizrahi'),
    homes: words('new_york boston philadelphia'),
  },
  {
    given: words('Aroha Tane Moana Wiremu Sefina Tavita Leilani Kai'),
    family: words('Ngata Parata Faleolo Tuilagi Kahananui Kealoha Tamihana Fonoti'),
    homes: words('honolulu san_francisco portland'),
  },
]

/** Texts in which people describe themselves. */
export const BIOGRAPHIES: readonly string[] = [
  'Structural engineer. I invest where I would also volunteer.',
  'Retired after thirty years in school libraries. Small amounts, many companies, long patience.',
  'Runs a hardware shop with two brothers and puts a tenth of every good month into other people’s shops.',
  'Product manager by day. Interested in food, water and anything that gets repaired instead of replaced.',
  'Paramedic. I back tools I wish we had on the truck.',
  'Former line cook, now a landlord of three kitchens.',
  'Learning to read cap tables since 2021; still learning.',
  'I teach chemistry and ask founders the questions my pupils would.',
  'Farmer’s daughter, grid engineer, mother of twins.',
  'Nurse practitioner. Health companies, mostly, and one brewery.',
  'Angel since my own company was bought. I answer emails.',
  'Bus driver, union treasurer, first-time investor.',
  'Composer. If it makes a sound I will look at it.',
  'I write compilers. I invest in people who explain things well.',
  'Here for climate, staying for the questions other investors ask.',
  'Family office of one: a spreadsheet, a dog, and monthly transfers.',
  'Public defender. Prefers revenue share to promises.',
  'Fisheries biologist looking for founders who have met a fish.',
  'Architect. Timber, retrofit, housing that people can afford.',
  'Came for a friend’s bakery, now hold twenty-two companies.',
  'Export clerk turned founder turned export clerk. I know what goes wrong.',
  'Physiotherapist; on weekends I referee.',
  'Semi-retired actuary. Reads the notes to the accounts first.',
  'Community organiser. I bring neighbours along.',
  'Grew up above a restaurant and still does the books there.',
  'Robotics researcher. Happy to help with hiring.',
  'Ten years in freight forwarding; allergic to pitch decks without unit costs.',
  'I invest what I used to spend on tickets to games.',
]

export const STREETS: readonly string[] = [
  'Alder Street',
  'Bayview Avenue',
  'Cedar Lane',
  'Dogwood Court',
  'Eastgate Road',
  'Foundry Street',
  'Garden Row',
  'Harbour Road',
  'Kestrel Way',
  'Linden Avenue',
  'Mill Street',
  'Orchard Road',
  'Quarry Lane',
  'Station Road',
  'Union Street',
  'Willow Court',
]
