//! Workbooks, built in the tests.

use super::formats::shown;
use super::read;
use crate::ingest::file::tests::{core, pack, package};

const STYLES: &str = "<styleSheet><numFmts><numFmt numFmtId='164' formatCode='#,##0.00\\ [$€-407]'/></numFmts>\
    <cellStyleXfs><xf numFmtId='9'/></cellStyleXfs>\
    <cellXfs><xf numFmtId='0'/><xf numFmtId='10'/><xf numFmtId='14'/><xf numFmtId='164'/></cellXfs></styleSheet>";
const SHARED: &str = "<sst><si><t>port</t></si><si><r><t>ra</t></r><r><t>nge</t></r><rPh><t>x</t></rPh></si><si><t>unused</t></si>\
    <si><t>Brest</t></si></sst>";

/// Returns a workbook of sheets (name, attributes, cells).
fn workbook(sheets: &[(&str, &str, &str)], title: &str) -> Vec<u8> {
    let (mut listed, mut targets, mut parts) = (String::new(), String::new(), Vec::new());
    for (n, (name, attributes, cells)) in sheets.iter().enumerate() {
        listed += &format!("<sheet name='{name}' sheetId='{n}' r:id='r{n}' {attributes}/>");
        targets += &format!("<Relationship Id='r{n}' Target='worksheets/sheet{n}.xml'/>");
        parts.push((format!("xl/worksheets/sheet{n}.xml"), format!("<worksheet>{cells}</worksheet>")));
    }
    let (root, core) = (package("xl/workbook.xml"), core(title, "en"));
    let book = format!("<workbook><sheets>{listed}</sheets></workbook>");
    let targets = format!("<Relationships>{targets}</Relationships>");
    let mut all = vec![
        ("_rels/.rels", &*root),
        ("xl/workbook.xml", &book),
        ("xl/_rels/workbook.xml.rels", &targets),
        ("xl/styles.xml", STYLES),
        ("xl/sharedStrings.xml", SHARED),
        ("docProps/core.xml", &core),
    ];
    all.extend(parts.iter().map(|(name, text)| (name.as_str(), text.as_str())));
    pack(&all)
}

const PORTS: &str = "<cols><col min='3' max='3' hidden='1'/></cols><sheetData>\
    <row r='1'><c r='A1' t='s'><v>0</v></c><c r='B1' t='s'><v>1</v></c><c r='C1' t='s'><v>2</v></c>\
      <c r='D1' t='inlineStr'><is><t>share</t></is></c><c r='E1' t='str'><f>x</f><v>since</v></c><c r='F1' t='str'><v>cost</v></c></row>\
    <row r='2'><c r='A2' t='s'><v>3</v></c><c r='B2'><v>6.1000000000000005</v></c><c r='C2'><v>9</v></c>\
      <c r='D2' s='1'><v>0.125</v></c><c r='E2' s='2'><v>45730</v></c><c r='F2' s='3'><v>1234567.5</v></c></row>\
    <row r='3' hidden='1'><c r='A3' t='str'><v>Hidden</v></c></row>\
    <row r='4'><c r='A4' t='str'><v>Roscoff</v></c><c r='D4' t='e'><v>#N/A</v></c><c r='F4' s='3'><v>-2</v></c></row>\
    </sheetData>";

#[test]
fn sheets_are_read_as_they_are_shown() {
    let file = workbook(
        &[("Ports", "", PORTS), ("Secret", "state='veryHidden'", PORTS), ("Empty", "", "<sheetData/>")],
        "Tidal ranges",
    );
    let read = read(&file).unwrap();
    let expected = "# Tidal ranges\n\n## Ports\n\n| port | range | share | since | cost |\n| --- | --- | --- | --- | --- |\n\
                    | Brest | 6.1 | 12.50% | 2025-03-14 | 1,234,567.50 € |\n| Roscoff |  |  |  | -2.00 € |\n";
    assert_eq!((read.markdown.as_str(), read.language.as_deref()), (expected, Some("en")));
    // A default name of a lone sheet is ignored.
    assert!(super::read(&workbook(&[("Tabelle1", "", PORTS)], "")).unwrap().markdown.starts_with("| port"));
}

#[test]
fn the_first_rows_of_many_are_read_and_the_last_cell_costs_nothing() {
    let row = |n: usize| format!("<row r='{n}'><c r='A{n}' t='s'><v>3</v></c><c r='B{n}'><v>{n}</v></c></row>");
    let rows: String = (2..60_000).map(row).collect();
    let head = "<row r='1'><c r='A1' t='s'><v>0</v></c><c r='B1' t='s'><v>1</v></c></row>";
    let last = "<row r='1048576'><c r='XFD1048576'><v>1</v></c></row>";
    let file = workbook(&[("A", "", &format!("<sheetData>{head}{rows}{last}</sheetData>"))], "");
    assert_eq!(read(&file).unwrap().markdown.lines().filter(|l| l.starts_with("| ")).count(), 202);
    let file = workbook(&[("A", "", &format!("<sheetData>{head}{}{last}</sheetData>", row(2)))], "");
    assert_eq!(read(&file).unwrap().markdown, "# A\n\n| port | range |\n| --- | --- |\n| Brest | 2 |\n");
}

#[test]
fn numbers_are_shown_as_their_formats_say() {
    for (code, number, text) in [
        ("General", 0.1 + 0.2, "0.3"),
        ("General", 1234567.0, "1234567"),
        ("General", -0.5, "-0.5"),
        ("General", 1e20, "1e20"),
        ("0", 1.5, "2"),
        ("0.00", 1.005, "1.01"),
        ("0.0#", 2.5, "2.5"),
        ("000", 7.0, "007"),
        ("#.##", 0.5, "0.5"),
        ("#,##0", 1234567.0, "1,234,567"),
        ("#,##0,,\"M\"", 12_300_000.0, "12M"),
        ("0.0,\"k\"", 12_340.0, "12.3k"),
        ("0%", 0.256, "26%"),
        ("0.0 %", 3.5, "350.0 %"),
        ("$#,##0.00", 1234.5, "$1,234.50"),
        ("[$£-809]#,##0", 12.0, "£12"),
        ("\"$\"#,##0_);[Red]\\(\"$\"#,##0\\)", -1234.0, "-$1,234"),
        ("_-* #,##0.00\\ \"kr\"_-;-* #,##0.00\\ \"kr\"_-", -2.0, "-2.00 kr"),
        ("0.00;-0.00;\"none\"", 0.0, "none"),
        ("0 \"days\"", 3.0, "3 days"),
        (";;;", 3.0, ""),
        ("@", 3.0, "3"),
        ("0.00E+00", 12345.0, "1.23E4"),
        ("#,##0", -0.2, "0"),
        ("yyyy-mm-dd", 45730.0, "2025-03-14"),
        ("d. mmmm yyyy", 45730.0, "14. March 2025"),
        ("dd/mm/yy", 61.0, "01/03/00"),
        ("yyyy-mm-dd", 1.0, "1900-01-01"),
        ("h:mm AM/PM", 0.75, "6:00 PM"),
        ("yyyy-mm-dd hh:mm", 45730.5, "2025-03-14 12:00"),
        ("[h]:mm:ss", 1.5, "36:00:00"),
        ("ddd", 45000.0, "Wed"),
        ("mmm-yy", 45730.0, "Mar-25"),
        ("yyyy", -5.0, "-5"),
    ] {
        assert_eq!(shown(number, code, false), text, "{number} as {code}");
    }
    assert_eq!(shown(44268.0, "yyyy-mm-dd", true), "2025-03-14");
}

proptest::proptest! {
    #[test]
    fn no_format_is_too_wild(code in "[ymdhsEe0#?.,%;_*@\"\\\\\\[\\]$ä+ -]{0,16}", number in proptest::num::f64::ANY) {
        shown(number, &code, false);
    }
}
