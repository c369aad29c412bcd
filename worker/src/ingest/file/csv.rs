//! CSV and TSV (RFC 4180 and what programs write instead): the bytes decide the encoding and the separator.

use encoding_rs::{Encoding, WINDOWS_1252};
use fleet::files::FileKind;

use super::blocks;
use super::fault::FileFault;
use super::grid::{self, Cell};
use super::text::Read;

/// Columns that are read per row.
const COLUMNS: usize = 256;
/// Lines that decide the separator.
const LINES: usize = 50;

/// Reads a file.
///
/// # Errors
/// [`FileFault::Invalid`] if the file is not text.
pub(super) fn read(file: &[u8], kind: FileKind) -> Result<Read, FileFault> {
    let text = decoded(file);
    if text.contains('\0') {
        return Err(FileFault::Invalid);
    }
    // Excel writes the separator on a line of its own.
    let (named, body) = match text.strip_prefix("sep=").and_then(|rest| rest.split_once('\n')) {
        Some((separator, body)) => (separator.trim_end().bytes().next(), body),
        None => (None, text.as_str()),
    };
    let separator = named.unwrap_or_else(|| if kind == FileKind::Tsv { b'\t' } else { separator(body) });
    let mut reader =
        ::csv::ReaderBuilder::new().delimiter(separator).has_headers(false).flexible(true).from_reader(body.as_bytes());
    let mut rows = Vec::new();
    let mut record = ::csv::StringRecord::new();
    while rows.len() < grid::ROWS && reader.read_record(&mut record).map_err(|_| FileFault::Invalid)? {
        rows.push(record.iter().take(COLUMNS).map(Cell::of_text).collect());
    }
    Ok(Read { markdown: blocks::markdown(&grid::blocks(&rows), None), ..Read::default() })
}

/// Decodes bytes: by their byte order mark, as UTF-8, else as Windows-1252.
fn decoded(file: &[u8]) -> String {
    if let Some((encoding, mark)) = Encoding::for_bom(file) {
        return encoding.decode_without_bom_handling(&file[mark..]).0.into_owned();
    }
    match std::str::from_utf8(file) {
        Ok(text) => text.to_owned(),
        Err(_) => WINDOWS_1252.decode_without_bom_handling(file).0.into_owned(),
    }
}

/// Returns the separator with which most lines have the same number of fields, more than one.
fn separator(text: &str) -> u8 {
    const SEPARATORS: [u8; 4] = [b',', b';', b'\t', b'|'];
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).take(LINES).collect();
    let score = |separator: u8| {
        let mut counts: Vec<usize> = lines.iter().map(|line| separators(line, separator)).filter(|n| *n > 0).collect();
        counts.sort_unstable();
        let runs = counts.chunk_by(|a, b| a == b);
        runs.map(|run| (run.len(), run[0])).max().unwrap_or_default()
    };
    SEPARATORS.into_iter().rev().max_by_key(|separator| score(*separator)).unwrap_or(b',')
}

/// Counts the separators of a line outside quotes.
fn separators(line: &str, separator: u8) -> usize {
    let mut quoted = false;
    let outside = |byte: &u8| {
        quoted ^= *byte == b'"';
        !quoted && *byte == separator
    };
    line.as_bytes().iter().copied().filter(outside).count()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn markdown(file: &[u8]) -> String {
        read(file, FileKind::Csv).unwrap().markdown
    }

    const TABLE: &str = "| Hafen | Höhe |\n| --- | --- |\n| Brest | 6,1 |\n";

    #[test]
    fn separators_and_encodings_are_found() {
        let utf16 = |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_le_bytes).collect() };
        for file in [
            "Hafen;Höhe\r\nBrest;6,1\r\n".as_bytes().to_vec(),
            "\u{feff}Hafen\tHöhe\nBrest\t6,1".as_bytes().to_vec(),
            "Hafen|Höhe\nBrest|6,1".as_bytes().to_vec(),
            "Hafen,Höhe\nBrest,\"6,1\"".as_bytes().to_vec(),
            "sep=;\r\nHafen;Höhe\r\nBrest;6,1".as_bytes().to_vec(),
            utf16("\u{feff}Hafen\tHöhe\r\nBrest\t6,1"),
            b"Hafen;H\xf6he\nBrest;6,1".to_vec(),
        ] {
            assert_eq!(markdown(&file), TABLE, "{}", String::from_utf8_lossy(&file));
        }
    }

    #[test]
    fn quotes_hold_what_separates_elsewhere() {
        let text = "name,note\n\"Brest, west\",\"says \"\"six\"\"\nmetres\"\n";
        assert_eq!(
            markdown(text.as_bytes()),
            "| name | note |\n| --- | --- |\n| Brest, west | says \"six\" metres |\n"
        );
    }

    #[test]
    fn the_first_rows_of_many_are_read() {
        let text = format!("port,range\n{}", "Brest,6\n".repeat(200_000));
        assert_eq!(markdown(text.as_bytes()).lines().count(), render_core::limits::TABLE_ROWS + 2);
        let wide = vec!["a"; 100_000].join(",");
        assert!(markdown(format!("{wide}\n{wide}\n{wide}").as_bytes()).len() < 1000);
    }

    proptest! {
        #[test]
        fn no_bytes_are_too_wild(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let _ = read(&bytes, FileKind::Csv);
            let _ = read(&bytes, FileKind::Tsv);
        }
    }
}
