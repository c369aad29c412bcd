//! Metadata of a document.

use super::archive::Archive;
use super::fault::FileFault;
use super::xml;

/// Metadata of a document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Properties {
    pub title: Option<String>,
    pub language: Option<String>,
}

/// Reads the core properties of an Office Open XML file (ISO/IEC 29500-2, clause 8).
///
/// # Errors
/// [`FileFault`] if unpacking them exceeds the limits.
pub(super) fn core(archive: &mut Archive<'_>) -> Result<Properties, FileFault> {
    of_part(archive, "docProps/core.xml")
}

/// Reads the properties of `part`: Dublin Core's `title` and `language`, at any depth.
///
/// # Errors
/// As [`core`].
pub(super) fn of_part(archive: &mut Archive<'_>, part: &str) -> Result<Properties, FileFault> {
    let Some(text) = archive.text(part)? else { return Ok(Properties::default()) };
    // Broken properties alone don't prevent reading the document.
    let Ok(root) = xml::tree(&text) else { return Ok(Properties::default()) };
    let said = |name: &str| root.find(name).map(|e| e.text().trim().to_owned()).filter(|text| !text.is_empty());
    Ok(Properties { title: said("title"), language: said("language") })
}

/// Returns whether a title in a file's properties was written for readers, rather than left by a program or a template.
pub(super) fn is_title(title: &str) -> bool {
    const LEFT_BY_PROGRAMS: [&str; 14] = [
        "untitled",
        "title",
        "document",
        "presentation",
        "powerpoint presentation",
        "powerpoint-präsentation",
        "présentation powerpoint",
        "presentación de powerpoint",
        "word document",
        "workbook",
        "slide 1",
        "template",
        "[title]",
        "unknown",
    ];
    let title = title.trim().to_lowercase();
    let is_path = title.contains(['\\', '/']) && !title.contains(' ');
    let has_extension = title
        .rsplit_once('.')
        .is_some_and(|(_, end)| (2..=4).contains(&end.len()) && end.chars().all(char::is_alphanumeric));
    let is_name = !title.contains(char::is_whitespace) && title.contains('_');
    title.chars().any(char::is_alphabetic)
        && title.chars().count() <= 300
        && !title.starts_with("microsoft ")
        && !LEFT_BY_PROGRAMS.contains(&title.as_str())
        && !(is_path || has_extension || is_name)
}

#[cfg(test)]
mod tests {
    use super::is_title;

    #[test]
    fn titles_of_programs_are_not_believed() {
        for title in ["Why tides turn", "潮汐", "Tides 2025", "On e.g. tides", "Q3"] {
            assert!(is_title(title), "{title}");
        }
        for title in
            ["", "  ", "Untitled", "PowerPoint Presentation", "Microsoft Word - a.doc", "a.docx", "tide_notes_v2", "12"]
        {
            assert!(!is_title(title), "{title}");
        }
    }
}
