/** Given names and family names of one origin, and the towns where a person of this origin may live. */
export type Origin = {
  readonly givenNames: readonly string[]
  readonly familyNames: readonly string[]
  readonly homes: readonly string[]
}

const words = (text: string) => text.split(' ')

export const ORIGINS: readonly Origin[] = [
  {
    givenNames: words('Grace Caleb Hannah Marcus Abigail Wesley Tamara Dwight Elena Curtis Naomi Russell Paige Leland'),
    familyNames: words(
      'Whitaker Holloway Prescott Beaumont Tillman Garrison Ashby Langford Mercer Pruitt Dalton Sayers',
    ),
    homes: words('portland austin boston denver minneapolis nashville raleigh'),
  },
  {
    givenNames: words('Adaeze Chidi Ngozi Emeka Ifeoma Obinna Temitope Babajide Folake Segun Yetunde Kelechi'),
    familyNames: words('Okafor Adeyemi Nwosu Balogun Eze Olawale Achebe Ogunleye Umeh Afolabi Danjuma Ezeigbo'),
    homes: words('houston atlanta london baltimore lagos'),
  },
  {
    givenNames: words('Ananya Rohan Kavya Arjun Meera Vikram Lakshmi Sanjay Divya Nikhil Pooja Harish Leela Tarun'),
    familyNames: words(
      'Raman Iyer Deshpande Kulkarni Menon Chatterjee Banerjee Nair Bhatt Reddy Malhotra Pillai Joshi',
    ),
    homes: words('san_jose seattle chicago jersey_city london toronto'),
  },
  {
    givenNames: words(
      'Camila Mateo Valentina Joaquín Lucía Emiliano Ximena Rodrigo Marisol Andrés Paloma Tomás Renata Iván',
    ),
    familyNames: words(
      'Reyes Castañeda Morales Villanueva Ibarra Salcedo Quintero Fuentes Ochoa Treviño Benítez Arroyo',
    ),
    homes: words('san_antonio los_angeles phoenix chicago miami madrid'),
  },
  {
    givenNames: words('Wei Mei Jun Xiuying Hao Lihua Jing Bowen Yan Zhihao Qing Ruoxi'),
    familyNames: words('Chen Liang Zhou Huang Lin Xu Tang Zheng Feng Cao Deng Song'),
    homes: words('oakland seattle new_york boston vancouver'),
  },
  {
    givenNames: words('Soo-jin Min-ho Ji-woo Hyun-woo Eun-ji Tae-yang Seo-yeon Dong-hyun Ha-eun Joon'),
    familyNames: words('Kim Park Choi Jung Kang Yoon Han Shin Bae Seo'),
    homes: words('los_angeles new_york atlanta seattle'),
  },
  {
    givenNames: words('Haruka Kenji Yuki Takumi Sakura Hiroshi Aiko Daichi Naoko Ren'),
    familyNames: words('Tanaka Nakamura Fujimoto Ishikawa Morita Hayashi Kobayashi Shimizu Ueda Okada'),
    homes: words('san_francisco honolulu portland new_york'),
  },
  {
    givenNames: words('Linh Minh Thuy Quang Huong Tuan Mai Duc Lan Phuc'),
    familyNames: words('Nguyen Tran Pham Vo Dang Bui Ngo Duong Huynh Doan'),
    homes: words('san_jose houston seattle denver'),
  },
  {
    givenNames: words('Leila Omar Yasmin Khalil Nour Sami Hala Tariq Rania Bilal Dina Ziad'),
    familyNames: words('Haddad Khoury Mansour Nasser Saleh Farouk Hamdan Darwish Kassem Rahal Aziz Bishara'),
    homes: words('detroit chicago new_york london lyon'),
  },
  {
    givenNames: words('Shirin Kaveh Parisa Arash Niloufar Babak Azadeh Farhad'),
    familyNames: words('Ahmadi Rostami Kazemi Tehrani Sohrabi Moradi Jafari Farrokhzad'),
    homes: words('los_angeles vancouver washington stockholm'),
  },
  {
    givenNames: words('Anneke Lukas Frieda Matthias Johanna Sebastian Greta Tobias Marlene Florian Katrin Jörg'),
    familyNames: words('Brandt Lehmann Voss Schreiber Kessler Hartmann Vogel Lorenz Albrecht Winkler Engel Böhm'),
    homes: words('berlin hamburg vienna chicago'),
  },
  {
    givenNames: words('Camille Étienne Margaux Théo Solène Bastien Clémence Antoine Maëlle Gaspard'),
    familyNames: words('Delacroix Marchand Lefèvre Rousseau Girard Fontaine Mercier Chevalier Perrin Aubert'),
    homes: words('lyon paris montreal brussels'),
  },
  {
    givenNames: words('Chiara Lorenzo Giulia Matteo Francesca Davide Ilaria Stefano Beatrice Nicolò'),
    familyNames: words('Moretti Ferrari Galli Rinaldi Conti Marchetti Bellini Vitale Sartori Fabbri'),
    homes: words('milan turin new_york providence'),
  },
  {
    givenNames: words('Agnieszka Piotr Zofia Tomasz Magdalena Krzysztof Hanna Wojciech'),
    familyNames: words('Kowalski Zieliński Nowak Wójcik Lewandowski Kamiński Sikora Pawlak'),
    homes: words('warsaw chicago milwaukee'),
  },
  {
    givenNames: words('Oksana Taras Iryna Bohdan Kateryna Andriy Daria Maksym'),
    familyNames: words('Shevchenko Kovalenko Bondarenko Melnyk Tkachenko Marchenko Lysenko Hrytsenko'),
    homes: words('warsaw philadelphia toronto berlin'),
  },
  {
    givenNames: words('Astrid Erik Ingrid Lars Freja Magnus Sigrid Henrik Liv Anders'),
    familyNames: words('Lindqvist Sørensen Bergström Haugen Nyström Dahl Ekholm Kristensen Solberg Holm'),
    homes: words('stockholm copenhagen minneapolis'),
  },
  {
    givenNames: words('Beatriz Thiago Larissa Rafael Juliana Caio Fernanda Gustavo'),
    familyNames: words('Cavalcanti Barbosa Teixeira Monteiro Figueiredo Carvalho Nogueira Sampaio'),
    homes: words('miami boston lisbon'),
  },
  {
    givenNames: words('Selam Dawit Hiwot Yonas Tigist Abel Mekdes Bereket'),
    familyNames: words('Tesfaye Bekele Girma Haile Tadesse Alemu Worku Desta'),
    homes: words('washington minneapolis seattle'),
  },
  {
    givenNames: words('Wanjiru Kamau Achieng Otieno Njeri Mwangi Akinyi Kiprop'),
    familyNames: words('Kariuki Odhiambo Mutua Wekesa Ndungu Cheruiyot Onyango Githinji'),
    homes: words('nairobi boston dallas'),
  },
  {
    givenNames: words('Ama Kwame Abena Kofi Efua Yaw Akosua Kojo'),
    familyNames: words('Mensah Owusu Boateng Asante Appiah Agyeman Osei Darko'),
    homes: words('new_york atlanta london'),
  },
  {
    givenNames: words('Maricel Jericho Luzviminda Rafael Tala Benigno Imelda Crisanto'),
    familyNames: words('Santos Dela-Cruz Bautista Villareal Mendoza Aquino Salonga Manalo'),
    homes: words('san_diego honolulu las_vegas'),
  },
  {
    givenNames: words('Elif Emre Zeynep Kerem Defne Baran Selin Ozan'),
    familyNames: words('Yılmaz Demir Kaya Aydın Öztürk Arslan Doğan Çelik'),
    homes: words('berlin new_york london'),
  },
  {
    givenNames: words('Rivka Ari Talia Noam Shira Eitan Miriam Ezra'),
    familyNames: words('Goldfarb Levin Abramson Katz Rosenthal Shapiro Feldman Mizrahi'),
    homes: words('new_york boston philadelphia'),
  },
  {
    givenNames: words('Aroha Tane Moana Wiremu Sefina Tavita Leilani Kai'),
    familyNames: words('Ngata Parata Faleolo Tuilagi Kahananui Kealoha Tamihana Fonoti'),
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
