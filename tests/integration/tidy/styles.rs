//! Only a style's own files name it: neither the engine nor a template checks which style it renders.

use std::collections::BTreeSet;

use super::{is_unit_test, none};
use crate::repo;

/// Returns the names of styles, from the names of their files.
fn names() -> BTreeSet<String> {
    let files = repo::files();
    let styles = files.iter().filter_map(|f| f.strip_prefix("render-core/src/design/styles/")?.strip_suffix(".rs"));
    styles.filter(|name| !name.contains('/') && *name != "mod").map(str::to_owned).collect()
}

/// Returns what a template contains between `{{` and `}}` or `{%` and `%}`, below its header.
fn expressions(template: &str) -> Vec<&str> {
    let body = template.split_once("</template>").map_or(template, |(_, body)| body);
    let mut found = Vec::new();
    for (open, close) in [("{{", "}}"), ("{%", "%}")] {
        found.extend(body.split(open).skip(1).filter_map(|rest| rest.split_once(close)).map(|(inside, _)| inside));
    }
    found
}

#[test]
fn no_style_is_named_outside_its_file() {
    let names = names();
    assert!(names.len() >= 8, "the styles have moved: {names:?}");
    let mut findings = Vec::new();
    for (file, text) in repo::texts("rs") {
        let inside = file.strip_prefix("render-core/src/").filter(|f| !f.starts_with("design/styles/"));
        if inside.is_none_or(|_| is_unit_test(&file)) {
            continue;
        }
        let shipped = text.split("#[cfg(test)]").next().unwrap_or("");
        let named = names.iter().filter(|name| shipped.contains(&format!("Style::{}", name.to_uppercase())));
        findings.extend(named.map(|name| format!("{file} names {name}")));
    }
    let templates = repo::texts("xml").into_iter().filter(|(f, _)| f.starts_with("render-core/assets/templates/"));
    let mut read = 0;
    for (file, text) in templates {
        read += 1;
        let expressions = expressions(&text).join(" ");
        let words: BTreeSet<&str> = expressions.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
        findings.extend(names.iter().filter(|n| words.contains(n.as_str())).map(|n| format!("{file} names {n}")));
    }
    assert!(read > 30, "the templates have moved: {read}");
    none("styles that are named outside their files", findings);
}
