//! Detects whether a text without a hint is a table: all records have the same number of fields.

use super::FileKind;

/// Minimum records of a table, its header included.
const RECORDS: usize = 3;

/// Returns CSV or TSV if the beginning of a text is certainly one of them.
pub(super) fn kind(sample: &[u8]) -> Option<FileKind> {
    const SEPARATORS: [(u8, FileKind); 3] = [(b'\t', FileKind::Tsv), (b';', FileKind::Csv), (b',', FileKind::Csv)];
    // In UTF-16, every second byte of ASCII characters is zero.
    let narrow: Vec<u8>;
    let sample = match sample {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => {
            narrow = sample[2..].iter().copied().filter(|b| *b != 0).collect();
            &narrow
        }
        _ => sample,
    };
    SEPARATORS.into_iter().find(|(separator, _)| is_table(sample, *separator)).map(|(_, kind)| kind)
}

fn is_table(text: &[u8], separator: u8) -> bool {
    let (mut fields, mut quoted, mut spaced, mut separators) = (1_usize, false, 0_usize, 0_usize);
    let (mut records, mut columns, mut blank) = (0_usize, 0_usize, true);
    for (at, byte) in text.iter().enumerate() {
        match byte {
            b'"' => {
                quoted = !quoted;
                blank = false;
            }
            b'\n' if !quoted => {
                if !blank {
                    if records > 0 && fields != columns {
                        return false;
                    }
                    (records, columns) = (records + 1, fields);
                }
                (fields, blank) = (1, true);
            }
            _ if *byte == separator && !quoted => {
                fields += 1;
                separators += 1;
                blank = false;
                // Prose has a space after its commas.
                spaced += usize::from(text.get(at + 1) == Some(&b' '));
            }
            b' ' | b'\t' | b'\r' => {}
            _ => blank = false,
        }
    }
    // The last record may be cut off; it counts only if it is complete.
    if !blank && !quoted && fields == columns {
        records += 1;
    }
    let prose = separator != b'\t' && spaced * 5 > separators;
    records >= RECORDS && columns >= 2 && !prose
}
