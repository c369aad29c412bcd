//! Tests line breaking with LineBreakTest of Unicode 15.0.

use super::{locale, text_of, unpacked};
use crate::text::opportunity::segmenter;

#[test]
fn lines_break_as_unicode_says() {
    let file = unpacked(include_bytes!("../../../../tests/data/unicode/LineBreakTest.txt.zst"));
    let (mut seen, mut wrong) = (0, Vec::new());
    for line in file.lines().map(|l| l.split('#').next().unwrap().trim()).filter(|l| !l.is_empty()) {
        let Some(text) = text_of(line) else { continue };
        let mut expected = Vec::new();
        let mut at = 0;
        for token in line.split_whitespace() {
            match token {
                "÷" => expected.push(at),
                "×" => {}
                code => at += text_of(code).unwrap().len(),
            }
        }
        let found: Vec<usize> = segmenter(&text, &locale("en")).segment_str(&text).filter(|b| *b > 0).collect();
        seen += 1;
        if found != expected {
            wrong.push(line.to_owned());
        }
    }
    assert!(seen > 7_500, "{seen}");
    let listed = include_str!("../../../../tests/data/unicode/line-break-exceptions.txt");
    let listed: Vec<&str> = listed.lines().filter(|l| !l.starts_with('#')).collect();
    assert_eq!(wrong, listed);
    assert!(wrong.len() * 100 <= seen, "{} of {seen}", wrong.len());
}
