// What moves when somebody turns the wheel: one thing on a page, and never the window itself.

/** Evaluated in the page: everything that scrolls and should not, in words. Written as text, because it runs there. */
export const findStrayScrollers = `(() => {
  const found = [];
  const told = (one, words) => found.push(one.localName + "." + one.className + " " + words + ": " +
    one.scrollWidth + " x " + one.scrollHeight + " in " + one.clientWidth + " x " + one.clientHeight);
  // what a reader scrolls on purpose (code, tables, long results, a text being written) can be reached by keyboard
  const isOnPurpose = (one) => one.tabIndex >= 0;
  const look = (one, outer) => {
    const { overflowX, overflowY } = getComputedStyle(one);
    const isWindow = one === document.documentElement;
    const isWide = one.scrollWidth > one.clientWidth + 1 && (isWindow || /auto|scroll/.test(overflowX));
    const isTall = one.scrollHeight > one.clientHeight && (isWindow || /auto|scroll/.test(overflowY));
    if (isWide && !isOnPurpose(one)) told(one, "scrolls sideways");
    if (isTall && isWindow) told(one, "the window itself scrolls");
    if (isTall && outer && !isOnPurpose(one)) told(one, "scrolls inside " + outer.localName + "." + outer.className);
    const scroller = isTall ? one : outer;
    for (const child of (one.shadowRoot ?? one).children) look(child, scroller);
    if (one.shadowRoot) for (const child of one.children) look(child, scroller);
  };
  look(document.documentElement, undefined);
  return found;
})()`;

/** Evaluated in the page: every part of the settings that sticks out of the page's column at either side, in words. */
export const findSticksOut = `(() => {
  const found = [];
  const look = (one, column) => {
    const { left, right } = one.getBoundingClientRect();
    const isOut = left < column.left - 1 || right > column.right + 1;
    if (isOut && right > left && one.checkVisibility())
      found.push(one.localName + "." + one.className + " from " + Math.round(left) + " to " + Math.round(right) +
        " beside " + Math.round(column.left) + " to " + Math.round(column.right));
    for (const child of (one.shadowRoot ?? one).children) look(child, column);
  };
  const search = (root) => {
    for (const one of root.querySelectorAll("*")) {
      if (one.localName === "steward-settings-form") look(one, one.closest(".columns").getBoundingClientRect());
      else if (one.shadowRoot) search(one.shadowRoot);
    }
  };
  search(document);
  return found;
})()`;
