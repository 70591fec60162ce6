import { commandDescriptor } from "../bwrap/box-reader.ts";
import { relayPort } from "../command-environment.ts";

export const innerSocket = "/run/steward/egress.sock";

const listening = `:${relayPort.toString(16).toUpperCase().padStart(4, "0")} 00000000:0000 0A`;

// The command starts when the relay listens, so that its first request does not meet a closed port. Where the relay is
// started ahead, it is not to hold the descriptor by which the command will come.
const script = `
socat=$1; shift
"$socat" TCP4-LISTEN:${relayPort},bind=127.0.0.1,reuseaddr,fork UNIX-CONNECT:${innerSocket} </dev/null >/dev/null 2>&1 ${commandDescriptor}>&- &
relay=$!
until grep -q '${listening}' /proc/net/tcp; do
  kill -0 $relay 2>/dev/null || { echo "the relay to the egress proxy did not start" >&2; exit 125; }
  sleep 0.01
done
exec "$@"
`;

/** Words that start the relay to the host's proxy and then become the command. */
export function egressRelayWords(socat: string): string[] {
  return ["/bin/sh", "-c", script, "sh", socat];
}
