//! Word documents, built in the tests.

use super::read;
use crate::ingest::file::tests::{core, pack, package};

const STYLES: &str = "<w:styles>\
    <w:docDefaults><w:rPrDefault><w:rPr><w:lang w:val='en-GB'/></w:rPr></w:rPrDefault></w:docDefaults>\
    <w:style w:type='paragraph' w:default='1' w:styleId='Normal'><w:name w:val='Normal'/></w:style>\
    <w:style w:type='paragraph' w:styleId='Titel'><w:name w:val='Title'/></w:style>\
    <w:style w:type='paragraph' w:styleId='berschrift1'><w:name w:val='heading 1'/><w:rPr><w:b/></w:rPr></w:style>\
    <w:style w:type='paragraph' w:styleId='Own'><w:name w:val='Chapter'/><w:basedOn w:val='berschrift1'/></w:style>\
    <w:style w:type='paragraph' w:styleId='Part'><w:name w:val='Part'/><w:pPr><w:outlineLvl w:val='1'/></w:pPr></w:style>\
    <w:style w:type='paragraph' w:styleId='Zitat'><w:name w:val='Quote'/><w:rPr><w:i/></w:rPr></w:style>\
    <w:style w:type='paragraph' w:styleId='TOC1'><w:name w:val='toc 1'/></w:style>\
    <w:style w:type='paragraph' w:styleId='Bullet'><w:name w:val='List Bullet'/>\
      <w:pPr><w:numPr><w:numId w:val='1'/></w:numPr></w:pPr></w:style>\
    <w:style w:type='paragraph' w:styleId='Bullet2'><w:name w:val='List Bullet 2'/>\
      <w:pPr><w:numPr><w:numId w:val='1'/></w:numPr></w:pPr></w:style>\
    <w:style w:type='character' w:styleId='Fett'><w:name w:val='Strong'/><w:rPr><w:b/></w:rPr></w:style>\
    <w:style w:type='paragraph' w:styleId='Loop'><w:name w:val='Loop'/><w:basedOn w:val='Loop'/></w:style>\
    </w:styles>";
const NUMBERING: &str = "<w:numbering>\
    <w:abstractNum w:abstractNumId='0'><w:lvl w:ilvl='0'><w:numFmt w:val='bullet'/></w:lvl></w:abstractNum>\
    <w:abstractNum w:abstractNumId='7'><w:lvl w:ilvl='0'><w:start w:val='1'/><w:numFmt w:val='decimal'/></w:lvl>\
      <w:lvl w:ilvl='1'><w:start w:val='1'/><w:numFmt w:val='lowerLetter'/></w:lvl></w:abstractNum>\
    <w:num w:numId='1'><w:abstractNumId w:val='0'/></w:num>\
    <w:num w:numId='2'><w:abstractNumId w:val='7'/></w:num>\
    <w:num w:numId='3'><w:abstractNumId w:val='7'/><w:lvlOverride w:ilvl='0'><w:startOverride w:val='5'/></w:lvlOverride></w:num>\
    </w:numbering>";

fn markdown_with(body: &str, title: &str) -> String {
    let document = format!("<w:document><w:body>{body}<w:sectPr/></w:body></w:document>");
    let file = pack(&[
        ("_rels/.rels", &package("/word/document2.xml")),
        ("word/document2.xml", &document),
        ("word/styles.xml", STYLES),
        ("word/numbering.xml", NUMBERING),
        ("docProps/core.xml", &core(title, "")),
    ]);
    let read = read(&file).unwrap();
    assert_eq!(read.language.as_deref(), Some("en-GB"));
    read.markdown
}

fn markdown(body: &str) -> String {
    markdown_with(body, "Document")
}

/// Returns a paragraph of a style.
fn styled(style: &str, text: &str) -> String {
    format!("<w:p><w:pPr><w:pStyle w:val='{style}'/></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>")
}

/// Returns an item of a list.
fn item(list: usize, level: usize, text: &str) -> String {
    format!(
        "<w:p><w:pPr><w:numPr><w:ilvl w:val='{level}'/><w:numId w:val='{list}'/></w:numPr></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"
    )
}

#[test]
fn styles_and_outline_levels_make_the_structure() {
    let body = [
        styled("TOC1", "Springs 2"),
        styled("Titel", "Why tides turn"),
        styled("Own", "Springs"),
        styled("Normal", "They come with the full moon."),
        styled("Part", "At the coast"),
        "<w:p><w:pPr><w:outlineLvl w:val='2'/></w:pPr><w:r><w:t>In harbours</w:t></w:r></w:p>".to_owned(),
        styled("Zitat", "Time and tide wait for no man."),
        styled("Loop", "Round and round."),
    ];
    let expected = "# Why tides turn\n\n## Springs\n\nThey come with the full moon.\n\n### At the coast\n\n#### In harbours\n\n\
                    > Time and tide wait for no man.\n\nRound and round.\n";
    assert_eq!(markdown(&body.concat()), expected);
    let body = styled("berschrift1", "Springs") + &styled("Normal", "They come.");
    assert_eq!(markdown(&body), "# Springs\n\nThey come.\n");
    assert_eq!(markdown_with(&body, "On tides"), "# On tides\n\n## Springs\n\nThey come.\n");
}

#[test]
fn lists_count_as_they_are_shown() {
    let body = [
        styled("Bullet", "new moon"),
        styled("Bullet2", "full moon"),
        styled("Normal", "Then:"),
        item(2, 0, "rise"),
        item(2, 1, "slowly"),
        item(2, 1, "fast"),
        item(2, 0, "fall"),
        item(0, 0, "No item."),
        item(2, 0, "rest"),
        item(3, 0, "again"),
    ];
    let expected = "- new moon\n  - full moon\n\nThen:\n\n1. rise\n   1. slowly\n   2. fast\n2. fall\n\nNo item.\n\n3. rest\n5. again\n";
    assert_eq!(markdown(&body.concat()), expected);
}

#[test]
fn what_is_not_shown_is_not_read() {
    let body = "<w:p>\
        <w:r><w:t xml:space='preserve'>The tide </w:t></w:r>\
        <w:del><w:r><w:delText>always </w:delText><w:t>ever </w:t></w:r></w:del>\
        <w:ins><w:r><w:rPr><w:b/></w:rPr><w:t>turns</w:t></w:r></w:ins>\
        <w:r><w:rPr><w:vanish/></w:rPr><w:t> secretly</w:t></w:r>\
        <w:r><w:rPr><w:b w:val='0'/><w:strike/></w:rPr><w:t> struck</w:t></w:r>\
        <w:r><w:footnoteReference w:id='1'/></w:r>\
        <w:r><w:t xml:space='preserve'> twice</w:t></w:r>\
        <w:r><w:fldChar w:fldCharType='begin'/><w:instrText> HYPERLINK x </w:instrText><w:fldChar w:fldCharType='separate'/></w:r>\
        <w:hyperlink r:id='r'><w:r><w:rPr><w:rStyle w:val='Fett'/></w:rPr><w:t xml:space='preserve'> a day</w:t></w:r></w:hyperlink>\
        <w:r><w:noBreakHyphen/><w:t>or</w:t><w:br/><w:t>so.</w:t></w:r>\
        </w:p>";
    assert_eq!(markdown(body), "The tide **turns** twice **a day**\u{2011}or\n\nso.\n");
}

#[test]
fn tables_of_data_and_of_layout_are_told_apart() {
    let cell = |text: &str| format!("<w:tc><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:tc>");
    let row = |cells: &[String]| format!("<w:tr>{}</w:tr>", cells.concat());
    let wide = "<w:tc><w:tcPr><w:gridSpan w:val='2'/></w:tcPr><w:p><w:r><w:t>none</w:t></w:r></w:p></w:tc>".to_owned();
    let merged = |m: &str, text: &str| {
        format!("<w:tc><w:tcPr><w:vMerge{m}/></w:tcPr><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:tc>")
    };
    let gone = format!("<w:tr><w:trPr><w:del/></w:trPr>{}</w:tr>", cell("gone"));
    let data = [
        row(&[cell("coast"), cell("port"), cell("range")]),
        row(&[merged(" w:val='restart'", "west"), cell("Brest"), cell("6")]),
        row(&[merged("", ""), cell("Roscoff"), cell("8")]),
        row(&[cell("east"), wide]),
        gone,
    ];
    let expected = "| coast | port | range |\n| --- | --- | --- |\n| west | Brest | 6 |\n| west | Roscoff | 8 |\n| east | none | none |\n";
    assert_eq!(markdown(&format!("<w:tbl>{}</w:tbl>", data.concat())), expected);
    let layout = row(&[format!("<w:tc>{}{}</w:tc>", styled("berschrift1", "Springs"), item(1, 0, "moon"))]);
    assert_eq!(markdown(&format!("<w:tbl>{layout}</w:tbl>")), "# Springs\n\n- moon\n");
}

#[test]
fn text_boxes_and_content_controls_are_read_once() {
    let inner = |text: &str| format!("<w:txbxContent>{}</w:txbxContent>", styled("Zitat", text));
    let body = format!(
        "<w:sdt><w:sdtPr><w:docPartObj><w:docPartGallery w:val='Table of Contents'/></w:docPartObj></w:sdtPr>\
         <w:sdtContent>{}</w:sdtContent></w:sdt><w:sdt><w:sdtContent>{}</w:sdtContent></w:sdt>\
         <w:p><w:r><mc:AlternateContent><mc:Choice><w:drawing>{}</w:drawing></mc:Choice>\
         <mc:Fallback><w:pict>{}</w:pict></mc:Fallback></mc:AlternateContent><w:t>Beside a box.</w:t></w:r></w:p>",
        styled("Normal", "Contents"),
        styled("Normal", "Filled in."),
        inner("In a box."),
        inner("In a box."),
    );
    assert_eq!(markdown(&body), "Filled in.\n\nBeside a box.\n\n> In a box.\n");
}
