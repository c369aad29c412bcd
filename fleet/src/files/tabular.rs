//! Whether a text without a hint is a table: every record has the same number of fields.

use super::FileKind;

/// Records that a table has at least, its header included.
const RECORDS: usize = 3;

/// CSV or TSV, where the beginning of a text is certainly one of them.
pub(super) fn kind(sample: &[u8]) -> Option<FileKind> {
    const SEPARATORS: [(u8, FileKind); 3] = [(b'\t', FileKind::Tsv), (b';', FileKind::Csv), (b',', FileKind::Csv)];
    // Text in UTF-16 has its ASCII characters at every second byte.
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
                // Prose has a space behind its commas.
                spaced += usize::from(text.get(at + 1) == Some(&b' '));
            }
            b' ' | b'\t' | b'\r' => {}
            _ => blank = false,
        }
    }
    // The last record may be cut off; it counts where it is whole.
    if !blank && !quoted && fields == columns {
        records += 1;
    }
    let prose = separator != b'\t' && spaced * 5 > separators;
    records >= RECORDS && columns >= 2 && !prose
}
