import type { ArithmeticExpression } from "unbash";
import type { Expansion } from "./expansion.ts";

/** The value of arithmetic on known numbers, as text; undefined when it is only known to be a number. */
export function evaluateArithmetic(expansion: Expansion, expression: ArithmeticExpression): string | undefined {
  const value = evaluate(expansion, expression);
  return value !== undefined && Number.isSafeInteger(value) ? String(value) : undefined;
}

function evaluate(expansion: Expansion, expression: ArithmeticExpression): number | undefined {
  switch (expression.type) {
    case "ArithmeticGroup":
      return evaluate(expansion, expression.expression);
    case "ArithmeticWord":
      return numberOf(expansion, expression.value);
    case "ArithmeticBinary": {
      const left = evaluate(expansion, expression.left);
      const right = evaluate(expansion, expression.right);
      return left === undefined || right === undefined ? undefined : calculate(expression.operator, left, right);
    }
    default:
      return undefined;
  }
}

function numberOf(expansion: Expansion, source: string): number | undefined {
  if (/^(?:0|[1-9]\d{0,14})$/.test(source)) return Number(source);
  const name = /^(?:\$?([A-Za-z_]\w*)|\$\{([A-Za-z_]\w*)\})$/.exec(source);
  const variable = name && expansion.variables.get(name[1] ?? name[2] ?? "");
  if (variable?.kind !== "values") return undefined;
  const picked = variable.values[expansion.choices.pick(`$${name?.[1] ?? name?.[2]}`, variable.values.length)];
  return picked && /^-?(?:0|[1-9]\d{0,14})$/.test(picked.text) ? Number(picked.text) : undefined;
}

function calculate(operator: string, left: number, right: number): number | undefined {
  if (operator === "+") return left + right;
  if (operator === "-") return left - right;
  if (operator === "*") return left * right;
  if (right === 0) return undefined;
  if (operator === "/") return Math.trunc(left / right);
  return operator === "%" ? left % right : undefined;
}
