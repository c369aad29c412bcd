//! Presentations, built in the tests.

use super::read;
use crate::ingest::file::tests::{core, pack, package};

fn markdown(slides: &[String], title: &str) -> String {
    let (mut ids, mut targets, mut parts) = (String::new(), String::new(), Vec::new());
    for (n, slide) in slides.iter().enumerate() {
        // The first slide of the list is the last of the archive.
        let part = slides.len() - n;
        ids += &format!("<p:sldId id='{}' r:id='r{n}'/>", 256 + n);
        targets += &format!("<Relationship Id='r{n}' Target='slides/slide{part}.xml'/>");
        parts.push((format!("ppt/slides/slide{part}.xml"), slide.clone()));
    }
    parts.reverse();
    let (root, core) = (package("ppt/presentation.xml"), core(title, "de"));
    let main = format!("<p:presentation><p:sldIdLst>{ids}</p:sldIdLst></p:presentation>");
    let targets = format!("<Relationships>{targets}</Relationships>");
    let mut all = vec![
        ("_rels/.rels", &*root),
        ("ppt/presentation.xml", &main),
        ("ppt/_rels/presentation.xml.rels", &targets),
        ("docProps/core.xml", &core),
    ];
    all.extend(parts.iter().map(|(name, text)| (name.as_str(), text.as_str())));
    read(&pack(&all)).unwrap().markdown
}

fn slide(shapes: &[String]) -> String {
    format!("<p:sld><p:cSld><p:spTree><p:nvGrpSpPr/>{}</p:spTree></p:cSld></p:sld>", shapes.concat())
}

/// Returns a shape with paragraphs; a placeholder if a kind is given.
fn shape(kind: Option<&str>, paragraphs: &str) -> String {
    let placeholder = kind.map(|kind| format!("<p:ph {kind}/>")).unwrap_or_default();
    format!(
        "<p:sp><p:nvSpPr><p:cNvPr id='2'/><p:nvPr>{placeholder}</p:nvPr></p:nvSpPr><p:txBody><a:bodyPr/>{paragraphs}</p:txBody></p:sp>"
    )
}

fn p(properties: &str, text: &str) -> String {
    format!("<a:p>{properties}<a:r><a:rPr lang='de'/><a:t>{text}</a:t></a:r></a:p>")
}

#[test]
fn slides_become_headings_with_their_points() {
    let cover = slide(&[
        shape(Some("type='ctrTitle'"), &p("", "Why tides")),
        shape(Some("type='subTitle' idx='1'"), &p("", "A short talk")),
        shape(Some("type='sldNum'"), &p("", "1")),
    ]);
    let points = slide(&[
        shape(
            Some("idx='1'"),
            &(p("", "new moon")
                + &p("<a:pPr lvl='1'/>", "the sun helps")
                + &p("<a:pPr><a:buNone/></a:pPr>", "Or:")
                + &p("", "full moon")),
        ),
        shape(Some("type='title'"), &p("", "Springs")),
        shape(None, &p("<a:pPr><a:buAutoNum type='arabicPeriod'/></a:pPr>", "rise").repeat(2)),
        shape(None, &p("", "A note beside.")),
    ]);
    let hidden = points.replace("<p:sld>", "<p:sld show='0'>");
    let more = slide(&[shape(Some("type='title'"), &p("", "Springs")), shape(Some("type='body'"), &p("", "Goes on."))]);
    let expected = "# Why tides\n\nA short talk\n\n## Springs\n\n- new moon\n  - the sun helps\n\nOr:\n\n- full moon\n1. rise\n2. rise\n\n\
                    A note beside.\n\nGoes on.\n";
    assert_eq!(markdown(&[cover, hidden, points.clone(), more], "PowerPoint Presentation"), expected);
    assert!(markdown(&[points], "On tides").starts_with("# On tides\n\n## Springs\n"));
}

#[test]
fn tables_and_groups_are_read_and_furniture_is_not() {
    let cell = |attributes: &str, text: &str| format!("<a:tc {attributes}><a:txBody>{}</a:txBody></a:tc>", p("", text));
    let table = format!(
        "<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tr>{}{}</a:tr><a:tr>{}{}</a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>",
        cell("", "port"),
        cell("", "range"),
        cell("gridSpan='2'", "Brest"),
        cell("hMerge='1'", ""),
    );
    let words = "<a:p><a:r><a:rPr b='1'/><a:t>Bold</a:t></a:r><a:r><a:rPr strike='sngStrike'/><a:t> gone</a:t></a:r>\
                 <a:br/><a:fld type='slidenum'><a:t>7</a:t></a:fld><a:r><a:t>then</a:t></a:r></a:p>";
    let group = format!("<p:grpSp>{}</p:grpSp>", shape(None, words));
    let hidden = shape(None, &p("", "hidden")).replace("id='2'", "id='2' hidden='1'");
    let slide = slide(&[group, hidden, table, shape(Some("type='ftr'"), &p("", "footer"))]);
    assert_eq!(markdown(&[slide], ""), "**Bold**\n\nthen\n\n| port | range |\n| --- | --- |\n| Brest | Brest |\n");
}
