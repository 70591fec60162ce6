// Which words are said for each other; the forms that endings tell are found without them.

/** Words of one row stand for each other. */
export const wordRows: readonly (readonly string[])[] = `
  go goes went gone visit see saw seen attend travel trip
  meet met see saw seen visit coffee lunch dinner
  put leave left keep kept hide hid hidden store lay laid lie gelegt gestellt getan
  buy bought get got purchase order
  call phone ring rang speak spoke talk
  number phone telephone tel mobile telefonnummer nummer
  live address home reside moved wohnt wohne wohnen adresse
  birthday geburtstag geboren
  born birthday birth geburtstag
  age birthday born
  cost price pay paid kostet
  name named called
  marry married wedding wed
  husband spouse partner married
  wife spouse partner married
  insure insurance insurer insured versicherung
  hate dislike loathe detest
  like love enjoy adore prefer favourite favorite best
  licence license
  nut peanut hazelnut walnut almond cashew
  allergy allergic allergie allergisch intolerant
  coriander cilantro
  expire due end ends
  start begin began
  finish end over
  give gave given gift
  lend lent loan
  borrow borrowed
  lose lost
  find found
  send sent
  sell sold
  take took taken
  eat ate eaten
  drink drank drunk
  drive drove driven car
  ride rode ridden
  fly flew flown flight
  read
  run ran
  swim swam swum
  sleep slept
  break broke broken
  choose chose chosen
  grow grew grown
  make made
  come came
  bring brought
  catch caught
  teach taught
  think thought
  hear heard
  hold held
  win won
  wear wore worn
  build built
  spend spent
  feed fed
  mum mom mother mama mummy mutter
  dad father papa daddy vater
  grandma grandmother granny nana gran oma großmutter
  grandpa grandfather grandad granddad opa großvater
  aunt tante
  uncle onkel
  kid child children kinder
  flat apartment wohnung
  job work employer profession occupation
  boss manager supervisor chef chefin vorgesetzter
  landlord vermieter
  neighbour neighbor nachbar nachbarin
  plumber klempner installateur
  electrician elektriker
  holiday vacation trip urlaub
  bin trash garbage rubbish waste müll abfall mülltonne
  fridge refrigerator kühlschrank
  hoover vacuum cleaner staubsauger
  extra spare
  key schlüssel ersatzschlüssel
  tyre tire reifen
  warranty guarantee garantie
  internet wifi wlan
  password passwort
  school schule volksschule
  kindergarten kita nursery daycare preschool
  teacher lehrer lehrerin
  medicine medication medicament tablet pill tablette medikament
  breed rasse
  cat katze kater
  dog hund
  film movie
  bike bicycle
  mail email
  doctor dr gp physician arzt ärztin hausarzt
  dentist zahnarzt zahnärztin
  appointment termin
  passport reisepass
  rent miete
  picture photo
  town city
  colour color farbe
  centre center
  theatre theater
  grey gray`
  .trim()
  .split("\n")
  .map((row) => row.trim().split(" "));

// what somebody has at home or among their people; "the cat" of a question is the asker's
const household = `
  kindergarten kita nursery daycare school class kid child children baby family household wife husband partner
  cat dog pet vet rabbit hamster plumber electrician landlord neighbour neighbor cleaner babysitter nanny gardener handyman
  doctor dentist teacher boss manager colleague wifi wlan internet router password pin key garage cellar attic basement balcony garden
  fridge freezer oven stove dishwasher washing boiler heating hoover vacuum tv rent lease mortgage warranty guarantee insurance
  bin garbage trash rubbish recycling müll parcel appointment passport licence license car bike tyre tire medicine medication
  allergy grandma grandpa granny oma opa mum mom dad aunt uncle cousin nephew niece aid umbrella charger drill ladder hammer
  sink kitchen bathroom bedroom cupboard drawer meter alarm mailbox letterbox roof rooftop concert recital gym choir
  katze hund schule kinder termin miete schlüssel garantie arzt zahnarzt garten keller auto rad`
  .trim()
  .split(/\s+/);
export const householdWords: ReadonlySet<string> = new Set(household);

/** Verbs that people ask with; what is done says less of a thing than its name. */
export const verbWords: ReadonlySet<string> = new Set(
  `go goes went gone visit see saw seen attend travel meet met put leave left keep kept hide hid store lay laid lie buy bought get got
   order call ring rang speak spoke live reside moved pay paid cost like love enjoy adore prefer hate dislike expire expires end ends start
   begin began finish give gave given lend lent borrow lose lost find found send sent sell sold take took eat ate drink drank drive drove
   ride rode fly flew read run ran swim sleep break broke choose chose grow make made come came comes bring brought catch wear wore
   build built spend feed fed change changed open opens close closes work works need needs fix fixes repair clean pick collect collected
   leak leaks own park parked use do does done have has happen arrive arrives turn`.split(/\s+/),
);
