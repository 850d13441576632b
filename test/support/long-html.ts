/** Texts of at most 10,000 characters whose HTML was up to three hundred times as long. */
export const PROBLEM_TEXTS = {
  emoji: "😀".repeat(10_000),
  "emoji of two letters": "🇩🇰".repeat(5000),
  "named emoji": ":a:".repeat(3300),
  "a wide matrix": `\`\`\`math\n\\begin{matrix}${"a&".repeat(1100)}\\end{matrix}\n\`\`\``,
  fractions: `$$${"\\frac{a}{b}".repeat(200)}$$`,
  formulas: "$$x^2+y$$ ".repeat(1000),
  addresses: "a@b.co ".repeat(1400),
  links: "http://a.b ".repeat(909),
  times: "<time:2026-01-01T00:00:00Z> ".repeat(350),
  quotes: `${"> ".repeat(15)}a`,
  lists: "* a\n".repeat(2500),
};
