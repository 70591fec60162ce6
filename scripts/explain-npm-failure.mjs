const network =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|EIDLETIMEOUT)\b/;

const causes = [
  {
    signs: /\b(ENOSPC|EDQUOT)\b/,
    say: diskIsFull,
  },
  {
    signs: network,
    say: () =>
      "npm could not reach its package registry. Check the network (and `npm config get proxy`, if you use one), then run the same command again.",
  },
  {
    signs: /\b(EACCES|EPERM|EROFS)\b/,
    say: (root) => `npm may not write where it must (see above). Make ${root} yours, then run the same command again.`,
  },
];

export function diskIsFull(root) {
  return `There is too little room on the disk that holds ${root}. Free about 600 MB, then run the same command again.`;
}

export function isNetworkFailure({ code, output }) {
  return code !== 0 && network.test(output);
}

/** npm's own words in full, then one sentence: what went wrong and what to do next. */
export function explainNpmFailure(root, failure) {
  if (failure.code === "ENOENT" && failure.syscall?.startsWith("spawn")) {
    return "npm was not found, and Steward needs it to install itself. Install it (on Debian: apt-get install npm), then run the same command again.";
  }
  if (failure.code === 0) {
    return "npm ran, but Node 26 did not arrive, most likely because npm is set to ignore install scripts. Run `npm rebuild node --ignore-scripts=false`, then the same command again.";
  }
  const words = (failure.output ?? failure.message).trim();
  const known = causes.find((cause) => cause.signs.test(words));
  const sentence = known
    ? known.say(root)
    : "npm could not install Steward's packages; its own words are above. Mend what they name, then run the same command again.";
  return `${words}\n\n${sentence}`;
}
