//! Removes page furniture: running heads, page numbers and other text outside the body.

use std::collections::BTreeMap;

use super::lines::Piece;

/// A page's pieces and its height.
pub struct Sheet {
    pub pieces: Vec<Piece>,
    pub height: f32,
}

/// The share of a page's height at its top and bottom that may hold furniture.
const MARGIN: f32 = 0.11;
/// Like [`MARGIN`], for text that several pages repeat.
const REPEATED: f32 = 0.16;
const EDGE: f32 = 0.09;
/// How much larger than the body text a title is.
const TITLE: f32 = 1.25;
/// Characters of the longest running head.
const SHORT: usize = 60;

/// Removes furniture from all pages. `body` is the size of the body text.
pub fn drop_furniture(sheets: &mut [Sheet], body: f32) {
    let count = sheets.len();
    let mut seen: BTreeMap<(String, bool), usize> = BTreeMap::new();
    for sheet in sheets.iter() {
        let mut keys: Vec<_> =
            sheet.pieces.iter().filter(|p| in_margin(p, sheet, REPEATED)).map(|p| key(p, sheet)).collect();
        keys.sort();
        keys.dedup();
        keys.into_iter().for_each(|k| *seen.entry(k).or_default() += 1);
    }
    // Left and right pages may have different heads.
    let enough = (count / 3).max(2);
    for (number, sheet) in sheets.iter_mut().enumerate() {
        let pieces = std::mem::take(&mut sheet.pieces);
        let (mut kept, mut gone) = (Vec::new(), Vec::new());
        for piece in pieces {
            // Large text on the first page is the title, even if other pages repeat it.
            let title = number == 0 && piece.size > TITLE * body;
            let repeated = !title
                && in_margin(&piece, sheet, MARGIN)
                && seen.get(&key(&piece, sheet)).is_some_and(|n| *n >= enough);
            let counted = in_margin(&piece, sheet, MARGIN) && is_page_number(&piece.text, number + 1, count);
            if repeated || counted { gone.push(piece) } else { kept.push(piece) }
        }
        // Text on the same line as furniture, and a short line or small print alone at the very edge.
        let alone = |p: &Piece| {
            let apart = kept_gap(&kept, p);
            let short = p.text.chars().count() <= SHORT && number > 0;
            let (small, plain) = (p.size < 0.93 * body, p.size < 1.05 * body && !p.text.ends_with(['.', '。']));
            in_margin(p, sheet, EDGE) && (small && apart > 2.2 * body || short && plain && apart > 1.4 * body)
        };
        // A full line of text next to a number means that the lines are numbered.
        let beside = |p: &Piece| {
            in_margin(p, sheet, MARGIN)
                && p.text.chars().count() <= SHORT
                && gone.iter().any(|g| (g.y - p.y).abs() < 0.5 * p.size)
        };
        let keep: Vec<bool> = kept.iter().map(|p| !(alone(p) || (beside(p) && p.size < 1.05 * body))).collect();
        let mut keep = keep.into_iter();
        kept.retain(|_| keep.next().unwrap_or(true));
        sheet.pieces = kept;
    }
}

/// Returns the distance to the nearest other line.
fn kept_gap(pieces: &[Piece], piece: &Piece) -> f32 {
    let others = pieces.iter().filter(|p| (p.y - piece.y).abs() > 0.5 * piece.size);
    others
        .map(|p| if p.y < piece.y { piece.top() - p.bottom() } else { p.top() - piece.bottom() })
        .fold(f32::MAX, f32::min)
}

fn in_margin(piece: &Piece, sheet: &Sheet, margin: f32) -> bool {
    piece.bottom() < margin * sheet.height || piece.top() > (1.0 - margin) * sheet.height
}

/// Returns the text of a piece without its numbers, and whether it is in the upper half.
fn key(piece: &Piece, sheet: &Sheet) -> (String, bool) {
    let mut text = String::new();
    for c in piece.text.chars().map(|c| if c.is_numeric() { '#' } else { c }) {
        if c != '#' || !text.ends_with('#') {
            text.push(c);
        }
    }
    (text, piece.y < sheet.height / 2.0)
}

/// Returns whether a text is a page number: `7`, `- 7 -`, `7 / 20`, `Page 7 of 20`.
fn is_page_number(text: &str, page: usize, pages: usize) -> bool {
    let numbers: Vec<usize> =
        text.split(|c: char| !c.is_ascii_digit()).filter(|n| !n.is_empty()).filter_map(|n| n.parse().ok()).collect();
    let words = text.chars().filter(|c| c.is_alphabetic()).count();
    let known = [
        "page",
        "seite",
        "página",
        "pagina",
        "of",
        "von",
        "de",
        "sur",
        "стр",
        "sayfa",
        "第",
        "页",
        "頁",
        "ページ",
        "共",
    ];
    let said = text.to_lowercase();
    let is_known = |w: &str| known.contains(&w);
    let named = said.split(|c: char| !c.is_alphabetic()).any(is_known);
    let word = words == 0 || words <= 8 && named;
    match numbers[..] {
        [n] => {
            word && (n == page
                || words == 0 && pages > 1 && text.trim().len() <= 4
                || words > 0
                || text.trim().len() <= 4 && text.contains(['-', '–', '—'])
                || n == page + 1)
        }
        [n, all] => word && n <= all && (all == pages || n == page),
        _ => false,
    }
}
