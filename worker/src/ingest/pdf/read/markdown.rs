//! Converts blocks to Markdown, the input of the next steps.

use super::blocks::Block;

/// Levels of headings that are distinguished.
const LEVELS: usize = 4;

/// Sizes of headings, largest first: the index is the level.
pub struct Levels(Vec<f32>);

impl Levels {
    /// Returns the heading levels of a document.
    pub fn new<'a>(blocks: impl Iterator<Item = &'a Block>) -> Self {
        let mut sizes: Vec<f32> = blocks.filter_map(rank).collect();
        sizes.sort_by(|a, b| b.total_cmp(a));
        sizes.dedup_by(|b, a| (*a - *b).abs() < 0.06 * *a);
        sizes.truncate(LEVELS);
        Self(sizes)
    }

    fn of(&self, rank: f32) -> usize {
        let level = self.0.iter().position(|size| rank > 0.94 * size);
        level.unwrap_or(LEVELS - 1) + 1
    }
}

/// Returns the rank of a heading; bold ranks slightly above its size.
fn rank(block: &Block) -> Option<f32> {
    match block {
        Block::Heading { size, bold, .. } => Some(if *bold { 1.07 * size } else { *size }),
        _ => None,
    }
}

/// Appends a block.
pub fn write(block: &Block, levels: &Levels, out: &mut String) {
    let is_item = matches!(block, Block::Item { .. });
    if !out.is_empty() {
        let tight = is_item
            && out
                .lines()
                .next_back()
                .is_some_and(|l| l.starts_with("- ") || l.starts_with(|c: char| c.is_ascii_digit()));
        out.push_str(if tight { "\n" } else { "\n\n" });
    }
    match block {
        Block::Heading { text, .. } => {
            let level = rank(block).map_or(LEVELS, |r| levels.of(r));
            out.extend(std::iter::repeat_n('#', level));
            out.push(' ');
            escaped(text, out);
        }
        Block::Paragraph(text) => escaped(text, out),
        Block::Item { numeral, text } => {
            let number = numeral.as_deref().map(|n| n.chars().filter(char::is_ascii_digit).collect::<String>());
            match number.filter(|n| !n.is_empty()) {
                Some(number) => {
                    out.push_str(&number);
                    out.push_str(". ");
                }
                None => out.push_str("- "),
            }
            escaped(text, out);
        }
        Block::Table(table) => {
            for (i, row) in table.rows.iter().enumerate() {
                out.push('|');
                for cell in row {
                    out.push(' ');
                    escaped(&cell.replace('|', "/"), out);
                    out.push_str(" |");
                }
                out.push('\n');
                if i == 0 {
                    out.push('|');
                    row.iter().for_each(|_| out.push_str(" --- |"));
                    out.push('\n');
                }
            }
            out.truncate(out.trim_end().len());
        }
    }
}

/// Escapes what Markdown would read as markup.
fn escaped(text: &str, out: &mut String) {
    let start = out.len();
    for c in text.chars() {
        if matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '~') {
            out.push('\\');
        }
        out.push(if c.is_whitespace() || c.is_control() { ' ' } else { c });
    }
    // At the start of the text, more characters are markup.
    let first = text.chars().next();
    let numbered = text.find(|c: char| !c.is_ascii_digit()).filter(|n| *n > 0 && text[*n..].starts_with(['.', ')']));
    if first.is_some_and(|c| matches!(c, '#' | '+' | '-' | '=' | '|')) {
        out.insert(start, '\\');
    } else if let Some(n) = numbered {
        out.insert(start + n, '\\');
    }
}
