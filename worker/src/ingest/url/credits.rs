//! Picture credits, in the languages of the web.

use std::sync::LazyLock;

use super::fold::{Words, folded, words};

/// Words that start a picture's credit. Folded.
static PICTURE: Words = LazyLock::new(|| {
    words(
        "\
    photo|photos|image|images|picture|pictures|photograph|photographs|photography|photographer|illustration|credit|\
    credits|foto|fotos|bild|bilder|bildquelle|bildnachweis|titelbild|symbolbild|beitragsbild|illustrationen|crédit|\
    crédits|crédit photo|crédits photo|crédits photos|photo credit|photo by|image by|photos by|photograph by|\
    illustration by|image credit|picture credit|image courtesy|photo courtesy|fotografía|imagen|crédito|créditos|\
    imagem|imagens|fotografia|immagine|immagini|crediti|afbeelding|beeld|zdjęcie|zdjęcia|fot|fotoğraf|görsel|фото|\
    изображение|иллюстрация|світлина|зображення|φωτογραφία|φωτο|صورة|الصورة|תמונה|צילום|फोटो|तस्वीर|图片|圖片|图|\
    图片来源|圖片來源|写真|写真提供|画像|사진|사진 제공",
    )
});

/// Sources of pictures; a line that contains one and does not end a sentence is a credit.
const AGENCIES: &[&str] = &[
    "getty images",
    "/getty",
    "/reuters",
    "reuters/",
    "/afp",
    "afp/",
    "/ap)",
    "ap photo",
    "/ap ",
    "(ap)",
    "shutterstock",
    "istock",
    "/epa",
    "epa-efe",
    "picture alliance",
    "picture-alliance",
    "imago/",
    "/dpa",
    "dpa/",
    "unsplash",
    "flickr/",
    "/flickr",
    "alamy",
    "adobe stock",
    "wikimedia commons",
    "/bloomberg",
    "bestimage",
    "pixabay",
    "ritzau",
    "scanpix",
    "pap/",
    "/pap",
    "agencja gazeta",
    "anadolu",
    "provided by",
];

/// Returns whether a line credits the maker of a picture.
pub(super) fn is_credit(line: &str) -> bool {
    let line = line.trim().trim_start_matches(['(', '[', '（', '【', '|', '▲', '△', '·', ' ']);
    let long = line.chars().count();
    if long == 0 || long > 140 {
        return false;
    }
    if line.starts_with(['©', 'Ⓒ', 'ⓒ']) || line.starts_with("(c)") {
        return true;
    }
    let labelled = line.split_once([':', '：', '/', '|', '©']).is_some_and(|(label, rest)| {
        !rest.starts_with('/') && label.chars().count() <= 30 && PICTURE.contains(folded(label).as_str())
    });
    let folded = folded(line);
    let by = PICTURE.iter().any(|p| {
        p.ends_with(" by")
            && folded.strip_prefix(p).is_some_and(|r| r.starts_with(' '))
            && folded.split(' ').count() <= 9
    });
    let lower = line.to_lowercase();
    let ends = line.ends_with(['.', '!', '?', '。', '।', ':']) && !lower.ends_with("inc.");
    let agency = !ends && long <= 100 && AGENCIES.iter().any(|a| lower.contains(a));
    // A sentence after the label is content: "Photo: how it was made." A credit may follow a sentence: "The ferry at
    // the pier. © A. Moor".
    let behind = line.rsplit_once('©').is_some_and(|(_, who)| (2..=60).contains(&who.trim().chars().count()));
    (labelled && !(ends && long > 80)) || by || agency || (behind && !ends)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credits_are_told_from_sentences() {
        for line in [
            "Photo: Ada Moor",
            "(Photo by Ada Moor / Tidewater)",
            "Photograph by Ada Moor",
            "Image: The Tidewater",
            "Ada Moor/Getty Images",
            "ADA MOOR/AFP",
            "© Ada Moor",
            "The ferry at the north pier. © A. Moor",
            "Foto: dpa",
            "Bildquelle: Ada Moor",
            "Crédits photo : Ada Moor",
            "Zdjęcie: Ada Moor",
            "Фото: Ада Мур",
            "图片来源：青溪网",
            "写真：青溪",
            "사진: 연합",
            "صورة: أدا مور",
        ] {
            assert!(is_credit(line), "{line}");
        }
        for line in [
            "Photos show the pier before the storm.",
            "The image: how a harbour made a name for itself over a hundred years, and then lost it in a single night.",
            "Reuters reported the storm first.",
            "Credit cards are taken.",
            "",
        ] {
            assert!(!is_credit(line), "{line}");
        }
    }
}
