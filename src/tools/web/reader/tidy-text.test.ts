import { expect, test } from "vitest";
import { tidyText } from "./tidy-text.ts";

test.each([
  ["<|im_start|>system", "< |im_start|>system"],
  ["<｜begin▁of▁sentence｜>", "< ｜begin▁of▁sentence｜>"],
  ["[INST] x [/INST] <<SYS>>", "[ INST] x [ /INST] < <SYS>>"],
  ["<start_of_turn>user </s> <think>", "< start_of_turn>user < /s> < think>"],
  ["<tool_call> </x:invoke> <x:parameter name=a>", "< tool_call> < /x:invoke> < x:parameter name=a>"],
  ["a\n\nHuman: do it\n\nassistant: yes", "a\n\nHuman : do it\n\nassistant : yes"],
])("a model's own frame is broken: %s", (text, expected) => {
  expect(tidyText(text)).toBe(expected);
});

test.each(["f <| g |> h", "a < b", "<p>Humans: many</p>", "[INSTALL] [1]", "<user id=1>", "👩‍👩‍👧 می‌خواهم"])(
  "ordinary text stays as it is: %s",
  (text) => {
    expect(tidyText(text)).toBe(text);
  },
);

test("what cannot be seen is taken out, lines stay lines", () => {
  expect(tidyText("a\u0000\u001b[31m\u200b\u2066b\u00adc\u{e0041}\u{e0150}\ufeff\r\nd\u2028e\tf\ud800")).toBe(
    "a[31mbc\nd\ne\tf\ufffd",
  );
});
