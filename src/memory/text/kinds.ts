// Kinds of things that people are asked about, and words that name one of them: whoever asks for hobbies wants to find the climbing.
import { stemOf } from "./words.ts";

const lines = `
activity hobby leisure pastime fun: hiking camping swimming running painting pottery cooking baking reading yoga dancing fishing gardening photography biking cycling surfing skiing climbing kayaking museum concert movie game picnic beach park knitting drawing volunteering workout
exercise workout sport fitness: running swimming yoga gym boxing kickboxing basketball football soccer tennis golf hiking cycling weights training marathon race team
family relative: husband wife kids children son daughter mother mom father dad parents brother sister grandma grandfather aunt uncle cousin
children kid: son daughter baby boy girl
parent: mother mom father dad
sibling: brother sister
pet animal: dog cat puppy kitten fish bird turtle rabbit hamster
relax destress stress unwind cope: running yoga meditation therapy walk calm relaxing peaceful soothing nature music reading
relationship status married dating: single husband wife boyfriend girlfriend partner breakup married dating divorce engaged fiance
job career profession occupation work employment: teacher engineer counselor doctor nurse manager designer writer artist business company office hired fired promotion interview
education study degree school major field: college university class course school graduate certificate program exam
food meal dish cuisine snack dessert recipe: pizza pasta salad soup chicken cake chocolate bread cheese vegetables fruit sushi curry cookies breakfast lunch dinner bake cook
drink beverage: coffee tea wine beer juice smoothie
book novel author literature: read reading novel author series story library fantasy memoir
movie film show series: watch watched cinema netflix drama comedy documentary
music song band artist: concert playlist album singer guitar piano violin jazz rock pop classical
instrument: guitar piano violin clarinet drums flute saxophone cello
art artwork: painting drawing sculpture pottery photography gallery exhibition canvas
health illness medical condition injury: doctor hospital diagnosed surgery pain medication therapy allergic asthma diabetes recovery
emotion feeling mood: happy sad angry anxious proud excited grateful scared nervous upset worried
event celebration: parade conference festival ceremony fundraiser workshop race concert party wedding fair meeting show birthday
volunteer charity cause community: shelter donate fundraiser homeless animals veterans food drive mentor
trip travel vacation roadtrip visit: flight beach mountains hotel tour city country abroad paris london rome hiking camping
place location city country state destination: city town beach park mountain lake river island
outdoor nature: hiking camping mountain forest beach lake park trail kayaking fishing picnic
vehicle car transport: drive truck bike motorcycle
money financial finance: afford broke loan salary rent budget savings rich
gift present: necklace ring flowers card book watch
religion religious faith spiritual: church god pray prayer temple mosque synagogue
politics political: vote election campaign office mayor liberal conservative
friend friendship: buddy pal mate roommate colleague neighbor
support help: helped encouraged family friends mentor
technology device gadget: phone laptop computer app software console
game gaming: console playstation nintendo xbox board chess cards tournament
clothes clothing fashion outfit wear: dress shirt shoes jacket hat jewelry
home house apartment: room kitchen garden furniture rent moved
personality trait attribute character: kind caring brave thoughtful passionate determined honest creative patient
plan goal future aspiration dream: want hope plan someday goal next
setback problem challenge difficulty trouble struggle: lost injury broke failed accident hard tough
achievement accomplishment success award: won prize medal first champion promotion graduated finished
`;

/** Stems of words that name one of a kind, by the stem of the kind's own word. */
export function openKinds(): ReadonlyMap<string, ReadonlySet<string>> {
  const kinds = new Map<string, Set<string>>();
  for (const line of lines.trim().split("\n")) {
    const [names = "", members = ""] = line.split(":");
    for (const name of names.trim().split(" ").map(stemOf)) {
      const known = kinds.get(name) ?? new Set();
      for (const member of members.trim().split(" ").map(stemOf)) if (member !== name) known.add(member);
      kinds.set(name, known);
    }
  }
  return kinds;
}
