//! OpenDocument files, built in the tests.

use super::read;
use crate::ingest::file::tests::pack;

const STYLES: &str = "<office:document-styles><office:styles>\
    <style:default-style style:family='paragraph'><style:text-properties fo:language='fr' fo:country='FR'/></style:default-style>\
    <style:style style:name='Title' style:family='paragraph'/>\
    <style:style style:name='Quotations' style:family='paragraph'/>\
    <style:style style:name='Strong_20_Emphasis' style:family='text'><style:text-properties fo:font-weight='bold'/></style:style>\
    <text:list-style style:name='Num'><text:list-level-style-number text:level='1' style:num-format='1' text:start-value='3'/>\
      <text:list-level-style-bullet text:level='2'/></text:list-style>\
    </office:styles></office:document-styles>";
const AUTOMATIC: &str = "<office:automatic-styles>\
    <style:style style:name='P1' style:family='paragraph' style:parent-style-name='Title'/>\
    <style:style style:name='T1' style:family='text'><style:text-properties fo:font-style='italic'/></style:style>\
    <style:style style:name='T2' style:family='text'><style:text-properties text:display='none'/></style:style>\
    <style:style style:name='ta2' style:family='table'><style:table-properties table:display='false'/></style:style>\
    </office:automatic-styles>";

fn markdown(kind: &str, body: &str) -> String {
    let content = format!(
        "<office:document-content>{AUTOMATIC}<office:body><office:{kind}>{body}</office:{kind}></office:body></office:document-content>"
    );
    let meta = "<office:document-meta><office:meta><dc:title>Untitled</dc:title></office:meta></office:document-meta>";
    let read = read(&pack(&[("content.xml", &content), ("styles.xml", STYLES), ("meta.xml", meta)])).unwrap();
    assert_eq!(read.language.as_deref(), Some("fr-FR"));
    read.markdown
}

#[test]
fn a_text_keeps_its_structure() {
    let body = "<text:tracked-changes><text:deletion><text:p>Deleted.</text:p></text:deletion></text:tracked-changes>\
        <text:table-of-content><text:index-body><text:p>Springs 2</text:p></text:index-body></text:table-of-content>\
        <text:p text:style-name='P1'>Why tides turn</text:p>\
        <text:h text:outline-level='1'>Springs</text:h>\
        <text:p>They come<text:note><text:note-body><text:p>A note.</text:p></text:note-body></text:note><text:s text:c='3'/>\
          with <text:span text:style-name='Strong_20_Emphasis'>the full</text:span> \n <text:span text:style-name='T1'>moon</text:span>\
          <text:span text:style-name='T2'>hidden</text:span>, <text:a xlink:href='x'>often</text:a>.<text:line-break/>So do I.</text:p>\
        <text:list text:style-name='Num'><text:list-item><text:p>rise</text:p>\
          <text:list><text:list-item><text:p>slowly</text:p></text:list-item></text:list></text:list-item>\
          <text:list-item><text:p>fall</text:p></text:list-item></text:list>\
        <text:section text:display='none'><text:p>Hidden.</text:p></text:section>\
        <text:section><text:p text:style-name='Quotations'>It turns.</text:p></text:section>\
        <table:table><table:table-header-rows><table:table-row><table:table-cell><text:p>port</text:p></table:table-cell>\
          <table:table-cell><text:p>range</text:p></table:table-cell></table:table-row></table:table-header-rows>\
          <table:table-row><table:table-cell><text:p>Brest</text:p></table:table-cell><table:table-cell><text:p>6</text:p>\
          </table:table-cell></table:table-row></table:table>\
        <text:p>At the end.<draw:frame><draw:text-box><text:p>In a box.</text:p></draw:text-box></draw:frame></text:p>";
    let expected = "# Why tides turn\n\n## Springs\n\nThey come with **the full** *moon*, often.\n\nSo do I.\n\n\
                    3. rise\n   - slowly\n4. fall\n\n> It turns.\n\n| port | range |\n| --- | --- |\n| Brest | 6 |\n\n\
                    At the end.\n\nIn a box.\n";
    assert_eq!(markdown("text", body), expected);
}

#[test]
fn slides_have_their_title_first() {
    let body = "<draw:page><draw:frame presentation:class='outline'><draw:text-box><text:list><text:list-item>\
        <text:p>new moon</text:p></text:list-item></text:list></draw:text-box></draw:frame>\
        <draw:frame presentation:class='title'><draw:text-box><text:p>Springs</text:p></draw:text-box></draw:frame>\
        <presentation:notes><draw:frame><draw:text-box><text:p>Say it slowly.</text:p></draw:text-box></draw:frame></presentation:notes>\
        <draw:frame presentation:class='footer'><draw:text-box><text:p>Page</text:p></draw:text-box></draw:frame></draw:page>";
    assert_eq!(markdown("presentation", body), "# Springs\n\n- new moon\n");
}

#[test]
fn sheets_are_read_as_they_are_shown() {
    let cell = |kind: &str, text: &str| {
        format!("<table:table-cell office:value-type='{kind}'><text:p>{text}</text:p></table:table-cell>")
    };
    let body = format!(
        "<table:table table:name='Ports'><table:table-column/><table:table-column table:visibility='collapse'/>\
         <table:table-row>{}{}{}</table:table-row><table:table-row>{}{}{}<table:table-cell table:number-columns-repeated='16380'/></table:table-row>\
         <table:table-row table:visibility='collapse'>{}</table:table-row>\
         <table:table-row table:number-rows-repeated='1048570'><table:table-cell/></table:table-row></table:table>\
         <table:table table:name='Secret' table:style-name='ta2'><table:table-row>{}</table:table-row></table:table>",
        cell("string", "port"),
        cell("string", "code"),
        cell("string", "share"),
        cell("string", "Brest"),
        cell("float", "7"),
        cell("percentage", "12,5 %"),
        cell("string", "gone"),
        cell("string", "secret"),
    );
    assert_eq!(markdown("spreadsheet", &body), "# Ports\n\n| port | share |\n| --- | --- |\n| Brest | 12,5 % |\n");
}
