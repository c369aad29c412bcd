//! Finds the listed word that a word misspells.

/// Returns the nearest word of `of` that `word` may misspell. Words of four to six letters may have one slip, words of
/// seven to 24 letters two. A slip is a changed, added or missing letter, or two swapped neighbours.
pub(super) fn nearest<'a>(word: &str, of: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let letters: Vec<char> = word.chars().collect();
    let most = match letters.len() {
        0..=3 => return None,
        4..=6 => 1,
        7..=24 => 2,
        _ => return None,
    };
    let mut best: Option<(usize, &str)> = None;
    let mut other = Vec::new();
    for candidate in of {
        other.clear();
        other.extend(candidate.chars());
        if other.len().abs_diff(letters.len()) > most {
            continue;
        }
        // Two slips turn a short word into another word.
        let allowed = if other.len() < 6 { most.min(1) } else { most };
        let by = distance(&letters, &other, allowed);
        if by <= allowed && best.is_none_or(|(b, _)| by < b) {
            best = Some((by, candidate));
        }
    }
    best.map(|(_, word)| word)
}

/// Returns the number of slips between two words. Stops early and returns `most + 1` if there are more than `most`.
fn distance(a: &[char], b: &[char], most: usize) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = Vec::with_capacity(b.len() + 1);
        row.push(i + 1);
        for (j, y) in b.iter().enumerate() {
            let at = |row: &[usize], j: usize| row.get(j).copied().unwrap_or(usize::MAX / 2);
            let mut least = (at(&last, j) + usize::from(x != y)).min(at(&last, j + 1) + 1).min(at(&row, j) + 1);
            let swapped = i > 0 && j > 0 && a.get(i - 1) == Some(y) && b.get(j - 1) == Some(x);
            if swapped && x != y {
                least = least.min(at(&before, j - 1) + 1);
            }
            row.push(least);
        }
        if row.iter().min().is_some_and(|least| *least > most) {
            return most + 1;
        }
        before = std::mem::replace(&mut last, row);
    }
    last.last().copied().unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_found_and_other_words_are_not() {
        let words = ["headline", "background", "bigger", "bold", "title"];
        for (slip, word) in
            [("haedline", "headline"), ("backgroud", "background"), ("biger", "bigger"), ("tilte", "title")]
        {
            assert_eq!(nearest(slip, words.into_iter()), Some(word));
        }
        for other in ["bald eagle", "cat", "weather", "battle", "headphones"] {
            assert_eq!(nearest(other, words.into_iter()), None, "{other}");
        }
    }
}
