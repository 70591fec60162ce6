import { type Intent, say } from "../intent.ts";

export const reminders: readonly Intent[] = [
  {
    task: "Reminding",
    tools: [],
    patterns: [
      /^remind (?:me|us)\b/i,
      /^(?:set|create|add|make|start)\s+(?:an?|the|my)\s+(?:\S+\s+)?(?:reminder|alarm|timer)\b/i,
      /^(?:wake me|schedule)\b/i,
      /^(?:list|show|pause|cancel|delete)(?: me)?(?: (?:all|my|the))* (?:reminders?|alarms?|timers?|schedules?|tasks?)\b/i,
    ],
    next: () => say("I cannot set reminders or schedules yet. I can note it for you: say “remember that …”."),
  },
];
