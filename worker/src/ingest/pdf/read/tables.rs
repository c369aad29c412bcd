//! Finds tables: rows of cells whose edges are aligned.

use hayro_interpret::kurbo::Rect;

use super::lines::Piece;

/// A table: rows, the first of which is taken as the header.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    pub rows: Vec<Vec<String>>,
    /// Left, top, right, bottom.
    pub bounds: [f32; 4],
    /// The first part of the page that it contains something of.
    pub part: Option<usize>,
}

/// Minimum rows of a table, including its header.
const ROWS: usize = 3;

/// Removes the tables of a page from its pieces and returns them.
pub fn tables(pieces: &mut Vec<Piece>, rules: &[Rect]) -> Vec<Table> {
    let rows = rows(pieces);
    let mut tables = Vec::new();
    let mut taken = vec![false; pieces.len()];
    let mut i = 0;
    while i < rows.len() {
        let Some((end, table)) = table(pieces, &rows, i, rules) else {
            i += 1;
            continue;
        };
        rows[i..end].iter().flatten().for_each(|p| taken[*p] = true);
        tables.push(table);
        i = end;
    }
    let mut taken = taken.into_iter();
    pieces.retain(|_| !taken.next().unwrap_or(false));
    tables
}

/// Groups pieces on one baseline, from left to right.
fn rows(pieces: &[Piece]) -> Vec<Vec<usize>> {
    let mut rows: Vec<Vec<usize>> = Vec::new();
    for (i, piece) in pieces.iter().enumerate() {
        match rows.last_mut() {
            Some(row) if (piece.y - pieces[row[0]].y).abs() < 0.3 * piece.size => row.push(i),
            _ => rows.push(vec![i]),
        }
    }
    for row in &mut rows {
        row.sort_by(|a, b| pieces[*a].x0.total_cmp(&pieces[*b].x0));
    }
    rows
}

/// Returns the table that starts with row `from`, and the index of the row after it.
fn table(pieces: &[Piece], rows: &[Vec<usize>], from: usize, rules: &[Rect]) -> Option<(usize, Table)> {
    let first = &rows[from];
    if first.len() < 2 {
        return None;
    }
    // Columns widen with the rows that fit into them.
    let mut columns: Vec<(f32, f32)> = first.iter().map(|p| (pieces[*p].x0, pieces[*p].x1)).collect();
    let mut lines: Vec<Vec<(usize, String)>> = vec![cells(pieces, first, &columns)?];
    let mut starts = vec![from];
    let mut end = from + 1;
    while end < rows.len() {
        let (last, row) = (&pieces[rows[end - 1][0]], &rows[end]);
        let leading = pieces[row[0]].y - last.y;
        if leading > 3.2 * last.size.max(pieces[row[0]].size) {
            break;
        }
        let Some(cells) = cells(pieces, row, &columns) else { break };
        let goes_on = row.len() < columns.len().div_ceil(2)
            && leading < 1.4 * last.size
            && !rules.iter().any(|r| r.width() > r.height() && crosses(r, last.y, pieces[row[0]].y));
        if goes_on {
            // A cell of several lines.
            for (column, text) in cells {
                match lines.last_mut().and_then(|l| l.iter_mut().find(|(c, _)| *c == column)) {
                    Some((_, cell)) => {
                        cell.push(' ');
                        cell.push_str(&text);
                    }
                    None => lines.last_mut()?.push((column, text)),
                }
            }
        } else if row.len() < 2 {
            break;
        } else {
            lines.push(cells);
            starts.push(end);
        }
        for p in row {
            let piece = &pieces[*p];
            if let Some(column) = columns.iter_mut().find(|c| piece.x0 < c.1 && c.0 < piece.x1) {
                *column = (column.0.min(piece.x0), column.1.max(piece.x1));
            }
        }
        end += 1;
    }
    let bounds =
        rows[from..end].iter().flatten().map(|p| &pieces[*p]).fold([f32::MAX, f32::MAX, f32::MIN, f32::MIN], |b, p| {
            [b[0].min(p.x0), b[1].min(p.top()), b[2].max(p.x1), b[3].max(p.bottom())]
        });
    let ruled = rules
        .iter()
        .filter(|r| r.width() > 0.6 * f64::from(bounds[2] - bounds[0]) && crosses(r, bounds[1] - 8.0, bounds[3] + 8.0))
        .count();
    let table: Vec<Vec<String>> = lines
        .into_iter()
        .map(|line| {
            let mut row = vec![String::new(); columns.len()];
            line.into_iter().for_each(|(column, text)| row[column] = text);
            row
        })
        .collect();
    let part = rows[from..end].iter().flatten().filter_map(|p| pieces[*p].part).min();
    is_table(&table, ruled >= 2).then_some((end, Table { rows: table, bounds, part }))
}

fn crosses(rule: &Rect, top: f32, bottom: f32) -> bool {
    (f64::from(top)..f64::from(bottom)).contains(&rule.center().y)
}

/// Assigns each piece of a row to a column of its own; `None` if they don't fit.
fn cells(pieces: &[Piece], row: &[usize], columns: &[(f32, f32)]) -> Option<Vec<(usize, String)>> {
    let mut cells: Vec<(usize, String)> = Vec::new();
    for p in row {
        let piece = &pieces[*p];
        let touched: Vec<usize> = (0..columns.len())
            .filter(|c| piece.x0 < columns[*c].1 + 0.3 * piece.size && columns[*c].0 - 0.3 * piece.size < piece.x1)
            .collect();
        match touched[..] {
            [column] if cells.iter().all(|(c, _)| *c != column) => cells.push((column, piece.text.clone())),
            _ => return None,
        }
    }
    Some(cells)
}

/// Returns whether rows form a table rather than columns of prose or a numbered list.
fn is_table(rows: &[Vec<String>], ruled: bool) -> bool {
    let columns = rows.first().map_or(0, Vec::len);
    if rows.len() < ROWS || columns < 2 {
        return false;
    }
    let cells = || rows.iter().flatten().filter(|c| !c.is_empty());
    let count = cells().count();
    let filled = 3 * count >= 2 * rows.len() * columns;
    let lengths: usize = cells().map(|c| c.chars().count()).sum();
    let short = lengths < 26 * count;
    let is_number = |c: &&String| c.chars().filter(char::is_ascii_digit).count() * 3 >= c.chars().count();
    let numbers = 4 * cells().filter(is_number).count() >= count;
    let listed = rows.iter().filter(|r| is_marker(&r[0])).count() * 2 > rows.len() && columns == 2;
    filled && !listed && ((short && (columns > 2 || numbers)) || (ruled && lengths < 60 * count))
}

/// Returns whether a text is the marker of a list item.
pub fn is_marker(text: &str) -> bool {
    let bullet = matches!(text, "•" | "◦" | "▪" | "‣" | "–" | "-" | "*" | "·" | "●" | "■" | "○" | "→" | "✓" | "✔");
    bullet || is_numeral(text)
}

/// Returns whether a text is a numeral: `1.`, `2)`, `(3)`, `a)`.
pub fn is_numeral(text: &str) -> bool {
    let inner = text.trim_start_matches('(');
    let Some(body) = inner.strip_suffix(['.', ')', '．', '、']) else { return false };
    let number = !body.is_empty() && body.chars().count() <= 3 && body.chars().all(|c| c.is_numeric());
    let letter = body.len() == 1 && body.chars().all(|c| c.is_ascii_lowercase()) && text.ends_with(')');
    number || letter
}
