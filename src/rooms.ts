// The list of rooms, in the order in which they are opened. A new capability is a folder and a line here.
import { channelsRoom } from "./channels/channels-room.ts";
import { httpRoom } from "./gateway/http/http-room.ts";
import { localSocketRoom } from "./gateway/local-socket-room.ts";
import { activityRoom, conversationsRoom, toolMethodsRoom } from "./gateway/methods/methods-rooms.ts";
import { pushRoom } from "./gateway/push/push-room.ts";
import { guardRoom } from "./guard/guard-room.ts";
import { memoryRoom } from "./memory/memory-room.ts";
import { settingsRoom } from "./settings/settings-room.ts";
import { storeRoom } from "./store/store-room.ts";
import { tasksRoom } from "./tasks/tasks-room.ts";
import { browserRoom } from "./tools/browser/browser-room.ts";
import { extractRoom } from "./tools/extract/extract-room.ts";
import { filesRoom } from "./tools/files/files-room.ts";
import { forgetRoom } from "./tools/forget/forget-room.ts";
import { messagesRoom } from "./tools/messages/messages-room.ts";
import { researchRoom } from "./tools/research/research-room.ts";
import { shellRoom } from "./tools/shell/shell-room.ts";
import { undoRoom } from "./tools/undo/undo-room.ts";
import { webRoom } from "./tools/web/web-room.ts";
import { skillsRoom } from "./workspace/skills/skills-room.ts";

export const rooms = [
  settingsRoom,
  guardRoom,
  storeRoom,
  skillsRoom,
  memoryRoom,
  filesRoom,
  undoRoom,
  forgetRoom,
  webRoom,
  browserRoom,
  messagesRoom,
  extractRoom,
  researchRoom,
  shellRoom,
  conversationsRoom,
  toolMethodsRoom,
  activityRoom,
  pushRoom,
  tasksRoom,
  channelsRoom,
  // whoever comes in finds everything else open, and sees the rest close
  httpRoom,
  localSocketRoom,
] as const;
