//! Converts formulas between dollar signs: short ones become readable text, others are removed. A price is not a
//! formula.

use std::ops::Range;

use super::code::Code;
use super::edits::Edit;

/// Maximum bytes of an inline formula, and of a display formula.
const INLINE: usize = 300;
const DISPLAY: usize = 4_000;
/// Maximum characters of a formula that is shown as text.
const READABLE: usize = 48;

/// Commands that stand for a sign, in pairs.
const SIGNS: &[(&str, &str)] = &[
    ("alpha", "α"),
    ("beta", "β"),
    ("gamma", "γ"),
    ("delta", "δ"),
    ("epsilon", "ε"),
    ("varepsilon", "ε"),
    ("zeta", "ζ"),
    ("eta", "η"),
    ("theta", "θ"),
    ("iota", "ι"),
    ("kappa", "κ"),
    ("lambda", "λ"),
    ("mu", "μ"),
    ("nu", "ν"),
    ("xi", "ξ"),
    ("pi", "π"),
    ("rho", "ρ"),
    ("sigma", "σ"),
    ("tau", "τ"),
    ("phi", "φ"),
    ("varphi", "φ"),
    ("chi", "χ"),
    ("psi", "ψ"),
    ("omega", "ω"),
    ("Gamma", "Γ"),
    ("Delta", "Δ"),
    ("Theta", "Θ"),
    ("Lambda", "Λ"),
    ("Pi", "Π"),
    ("Sigma", "Σ"),
    ("Phi", "Φ"),
    ("Psi", "Ψ"),
    ("Omega", "Ω"),
    ("times", "×"),
    ("cdot", "·"),
    ("div", "÷"),
    ("pm", "±"),
    ("le", "≤"),
    ("leq", "≤"),
    ("ge", "≥"),
    ("geq", "≥"),
    ("ne", "≠"),
    ("neq", "≠"),
    ("approx", "≈"),
    ("sim", "∼"),
    ("infty", "∞"),
    ("to", "→"),
    ("rightarrow", "→"),
    ("Rightarrow", "⇒"),
    ("leftarrow", "←"),
    ("in", "∈"),
    ("sum", "∑"),
    ("prod", "∏"),
    ("int", "∫"),
    ("partial", "∂"),
    ("nabla", "∇"),
    ("forall", "∀"),
    ("exists", "∃"),
    ("cup", "∪"),
    ("cap", "∩"),
    ("subset", "⊂"),
    ("ldots", "…"),
    ("dots", "…"),
    ("cdots", "…"),
    ("circ", "°"),
    ("degree", "°"),
    ("percent", "%"),
    ("quad", " "),
    ("qquad", " "),
    ("sqrt", "√"),
];

/// Returns the edits that make formulas readable.
pub(super) fn edits(text: &str, code: &Code) -> Vec<Edit> {
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(found) = memchr::memchr2(b'$', b'\\', &bytes[at..]) {
        let open = at + found;
        at = open + 1;
        if let Some(end) = code.end_at(open) {
            at = end;
            continue;
        }
        if bytes[open] == b'\\' {
            let (range, display) = match text[at..].chars().next() {
                Some('(') => (escaped(text, open, "\\(", "\\)", INLINE), false),
                Some('[') => (escaped(text, open, "\\[", "\\]", DISPLAY), true),
                Some('b') if text[at..].starts_with("begin{") => (environment(text, open), true),
                _ => (None, false),
            };
            match range {
                Some(range) => at = formula(text, range, display, &mut out),
                // An escaped mark opens nothing.
                None => at = text.ceil_char_boundary(open + 2),
            }
        } else if text[at..].starts_with('$') {
            let range = closed(text, open, "$$", "$$", DISPLAY).filter(|r| is_formula(&text[r.clone()], true));
            at = range.map_or(open + 2, |range| formula(text, range, true, &mut out));
        } else if let Some(range) = inline(text, open) {
            at = formula(text, range, false, &mut out);
        }
    }
    out
}

/// Returns the range from an opening mark to the next closing one.
fn closed(text: &str, open: usize, from: &str, to: &str, most: usize) -> Option<Range<usize>> {
    let start = open + from.len();
    let near = text.floor_char_boundary((start + most).min(text.len()));
    let end = start + text[start..near].find(to)? + to.len();
    (!text[start..end].contains("\n\n")).then_some(open..end)
}

/// Returns the range of `\begin{x} … \end{x}`.
fn environment(text: &str, open: usize) -> Option<Range<usize>> {
    let near = text.floor_char_boundary((open + DISPLAY).min(text.len()));
    let end = open + text[open..near].find("\\end{")?;
    Some(open..end + text[end..near].find('}')? + 1)
}

/// Finds a formula between single dollar signs, without spaces inside the signs and without a letter or digit after
/// them.
fn inline(text: &str, open: usize) -> Option<Range<usize>> {
    let start = open + 1;
    let near = text.floor_char_boundary((start + INLINE).min(text.len()));
    let rest = &text[start..near];
    let before = text[..open].chars().next_back();
    if rest.starts_with(char::is_whitespace) || before.is_some_and(char::is_alphanumeric) {
        return None;
    }
    let end = rest.find('$').filter(|i| *i > 0)?;
    let inner = &rest[..end];
    let behind = rest[end + 1..].chars().next();
    let sound =
        !inner.ends_with([' ', '\\']) && !inner.contains("\n\n") && !behind.is_some_and(|c| c.is_ascii_alphanumeric());
    (sound && is_formula(inner, false)).then(|| open..start + end + 1)
}

/// Whether the text looks like a formula.
fn is_formula(inner: &str, marked: bool) -> bool {
    let signs = inner.contains(['\\', '^', '_', '=', '{']);
    let name = inner.chars().count() <= 3 && inner.starts_with(char::is_alphabetic) && !inner.contains(' ');
    signs || name || marked && inner.contains(['+', '<', '>'])
}

/// Returns a formula between `\\(` and `\\)` or similar marks, but not a remark in escaped brackets.
fn escaped(text: &str, open: usize, from: &str, to: &str, most: usize) -> Option<Range<usize>> {
    let is_word = |word: &str| word.chars().count() > 2 && word.chars().all(char::is_alphabetic);
    closed(text, open, from, to, most).filter(|range| {
        let inner = &text[range.start + from.len()..range.end - to.len()];
        is_formula(inner, true) || !inner.split_whitespace().any(is_word)
    })
}

/// Writes a formula as text, or removes it. Returns its end.
fn formula(text: &str, range: Range<usize>, display: bool, out: &mut Vec<Edit>) -> usize {
    let end = range.end;
    let words = readable(text[range.clone()].trim_matches('$')).filter(|_| !display);
    out.push(Edit::replace(range, words.unwrap_or_default()));
    end
}

/// Returns a formula as text, if it is short enough.
fn readable(tex: &str) -> Option<String> {
    let tex = tex.trim_start_matches("\\(").trim_end_matches("\\)");
    let mut out = String::new();
    let mut rest = tex;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match c {
            '\\' => {
                let len = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_alphabetic()).len();
                let name = &rest[..len];
                rest = &rest[len..];
                if name.is_empty() {
                    // `\,` is a space, `\%` a sign.
                    let sign = rest.chars().next().unwrap_or(' ');
                    rest = rest.get(sign.len_utf8()..).unwrap_or("");
                    out.push(if matches!(sign, ',' | ';' | ':' | '!' | '\\' | ' ') { ' ' } else { sign });
                } else if matches!(name, "frac" | "tfrac" | "dfrac") {
                    let (above, behind) = group(rest)?;
                    let (below, behind) = group(behind)?;
                    out.push_str(&format!("{}/{}", part(above)?, part(below)?));
                    rest = behind;
                } else if let Some((_, sign)) = SIGNS.iter().find(|(n, _)| *n == name) {
                    out.push_str(sign);
                } else if rest.starts_with('{')
                    || matches!(name, "log" | "ln" | "exp" | "sin" | "cos" | "tan" | "max" | "min" | "mod")
                {
                    // `\text{…}`, and functions by name.
                    out.push_str(if rest.starts_with('{') { "" } else { name });
                }
            }
            '^' | '_' => {
                let (raised, behind) = group(rest)?;
                let raised = readable(raised)?;
                let signs: Option<String> = raised.chars().map(|s| small(s, c == '^')).collect();
                match signs {
                    Some(signs) => out.push_str(&signs),
                    None if c == '^' => out.push_str(&format!("^{raised}")),
                    None => out.push_str(&raised),
                }
                rest = behind;
            }
            '{' | '}' | '$' | '&' => {}
            '*' => out.push('·'),
            '<' => out.push('‹'),
            _ if c.is_whitespace() => out.push(' '),
            _ => out.push(c),
        }
    }
    let out = out.split_whitespace().collect::<Vec<_>>().join(" ");
    (out.chars().count() <= READABLE && !out.contains(['\\', '[', ']', '`'])).then_some(out.replace('‹', "<"))
}

/// Returns a part of a fraction, in parentheses if it is compound.
fn part(tex: &str) -> Option<String> {
    let words = readable(tex)?;
    Some(if words.contains([' ', '+', '-', '/']) { format!("({words})") } else { words })
}

/// Returns the argument of a command, which is the next group in braces or the next sign, and the rest.
fn group(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    let first = text.chars().next()?;
    if first != '{' {
        return Some(text.split_at(first.len_utf8()));
    }
    let mut depth = 0;
    for (i, c) in text.char_indices() {
        depth += i32::from(c == '{') - i32::from(c == '}');
        if depth == 0 {
            return Some((&text[1..i], &text[i + 1..]));
        }
    }
    None
}

/// Returns a superscript or subscript character.
fn small(c: char, above: bool) -> Option<char> {
    let from = if above { "0123456789+-−ni" } else { "0123456789+-−ijnxt" };
    let to = if above {
        "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻ⁿⁱ"
    } else {
        "₀₁₂₃₄₅₆₇₈₉₊₋₋ᵢⱼₙₓₜ"
    };
    to.chars().nth(from.chars().position(|f| f == c)?)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::edits::Edited;
    use super::*;

    fn read(text: &str) -> String {
        Edited::of(text).apply(&edits(text, &Code::of(text))).text
    }

    #[test]
    fn formulas_become_text() {
        for (text, want) in [
            ("Of $O(n^2)$ steps.", "Of O(n²) steps."),
            ("With $x_i \\leq \\frac{1}{2}$ it ends.", "With xᵢ ≤ 1/2 it ends."),
            ("Take $x$ and \\(\\alpha + 1\\).", "Take x and α + 1."),
            ("So:\n\n$$\nE = mc^2\n$$\n\nEnd", "So:\n\n\n\nEnd"),
            ("\\begin{align}\na &= b\n\\end{align}\nEnd", "\nEnd"),
        ] {
            assert_eq!(read(text), want, "{text}");
        }
    }

    #[test]
    fn prices_stay() {
        for text in [
            "$5 and $10 a day",
            "~$108/yr and $96",
            "US$5 or A$6",
            "It costs $5-$10.",
            "a \\$5 b \\$6",
            "`$x$`",
            "who doesn't get \\[the point of it\\], they said",
            "$",
            "$HOME and $PATH are set",
        ] {
            assert_eq!(read(text), text, "{text}");
        }
    }

    proptest! {
        #[test]
        fn reads_anything(text in "(\\$|\\$\\$|\\\\|\\\\frac|\\{|\\}|\\^|_|[a-z0-9 ]|é|\n|\\\\\\(|\\\\\\)|begin\\{a\\}){0,40}") {
            let _ = read(&text);
        }
    }
}
