//! The phrases of furniture, in the languages of the web: headings, lines, bylines.

use std::sync::LazyLock;

use super::credits::is_credit;
use super::datelines::is_reading_time;
use super::fold::{Words, folded, words};

/// Headings of furniture; the content below such a heading is furniture too. Folded by [`folded`].
static HEADINGS: Words = LazyLock::new(|| {
    words(
        "\
    related|related articles|related posts|related stories|related content|related reading|\
    related links|read more|read next|more stories|more from|more on this story|more on this topic|\
    most read|most popular|popular posts|recent posts|trending|trending now|latest news|\
    you may also like|you might also like|recommended|recommended for you|recommended reading|see also|\
    further reading|external links|references|notes|footnotes|comments|leave a comment|leave a reply|\
    share|share this|share this article|share this post|follow us|subscribe|newsletter|sign up|\
    about the author|about the authors|tags|topics|categories|advertisement|sponsored|customer reviews|reviews|\
    on this page|contents|table of contents|navigation menu|like this post|keep reading|who is online|\
    up next|dont miss|other people are reading|what to read next|get our newsletter|sign up for our newsletter|\
    share this story|follow|more news|more like this|popular|latest|explore more|explore further|see more|\
    join the conversation|join the discussion|view comments|editors picks|our picks|supported by|sponsored by|\
    mehr zum thema|auch lesenswert|weitere artikel|weitere meldungen|weitere themen|weiterführende links|\
    empfohlene beiträge|schlagworte|diskussion|mehr lesen|vos réactions|plus darticles|à découvrir|\
    más noticias|más leídas|más información|mais notícias|mais lidas|altri articoli|i più letti|zobacz również|\
    zobacz też|czytaj też|czytaj więcej|polecane|powiązane artykuły|tagi|meer nieuws|mest lästa|\
    ещё по теме|еще по теме|смотрите также|популярные статьи|теги|метки|найпопулярніше|\
    الأكثر مشاهدة|قد يعجبك أيضا|延伸阅读|延伸閱讀|标签|標籤|热门|更多新闻|タグ|ランキング|이 시각 주요뉴스|태그|\
    verwandte artikel|ähnliche artikel|ähnliche beiträge|lesen sie auch|weiterlesen|\
    das könnte sie auch interessieren|auch interessant|meistgelesen|einzelnachweise|weblinks|literatur|\
    siehe auch|kommentare|inhaltsverzeichnis|inhalt|teilen|schlagwörter|navigationsmenü|anzeige|\
    über den autor|über die autorin|über diese reihe|zum weiterlesen|das könnte dich auch interessieren|\
    empfehlungen aus der redaktion|weitere artikel zum thema|quellen ausblenden|artikel teilen|\
    articles similaires|à lire aussi|lire aussi|sur le même sujet|vous aimerez aussi|\
    vous pourriez aimer aussi|les plus lus|commentaires|partager|notes et références|références|\
    voir aussi|liens externes|sommaire|à propos de lauteur|\
    artículos relacionados|noticias relacionadas|te puede interesar|también te puede interesar|\
    lo más leído|lee también|últimas noticias|comentarios|compartir|referencias|véase también|\
    enlaces externos|artigos relacionados|leia também|leia mais|veja também|comentários|\
    referências|articoli correlati|leggi anche|potrebbe interessarti|ti potrebbe interessare|commenti|\
    condividi|note|collegamenti esterni|\
    lees ook|gerelateerde artikelen|reacties|meest gelezen|läs också|läs mer|relaterade artiklar|\
    kommentarer|czytaj także|zobacz także|komentarze|najczęściej czytane|ilgili haberler|\
    ilginizi çekebilir|bunlar da ilginizi çekebilir|yorumlar|en çok okunanlar|paylaş|\
    читайте также|похожие статьи|похожие записи|по теме|комментарии|поделиться|популярное|примечания|\
    см также|ссылки|литература|читайте також|коментарі|\
    اقرأ أيضا|اقرأ أيضاً|مواضيع ذات صلة|مقالات ذات صلة|التعليقات|تعليقات|شارك|شارك الخبر|الأكثر قراءة|\
    مراجع|המלצות|תגובות|כתבות נוספות|مطالب مرتبط|نظرات|\
    यह भी पढ़ें|ये भी पढ़ें|संबंधित खबरें|टिप्पणियाँ|सबसे ज़्यादा पढ़ी गई|मनोरंजन|\
    相关阅读|相关文章|相关新闻|相關閱讀|相關文章|推荐阅读|推薦閱讀|评论|留言|分享到|热门文章|参考文献|参考资料|関連記事|関連リンク|あわせて読みたい|おすすめ記事|人気記事|コメント|脚注|\
    外部リンク|シェア|관련 기사|관련기사|추천 기사|댓글|많이 본 뉴스|공유하기",
    )
});

/// Lines that are furniture by themselves. Folded by [`folded`].
static LINES: Words = LazyLock::new(|| {
    words(
        "\
    advertisement|advertisements|ad|sponsored|sponsored content|promoted|share|share this|print|\
    copy link|loading|reply|report|read more|continue reading|learn more|back to top|skip to content|\
    skip to main content|anzeige|werbung|publicité|publicidad|publicidade|pubblicità|advertentie|annons|\
    reklama|reklam|реклама|إعلان|اعلان|विज्ञापन|广告|廣告|広告|pr|광고|weiterlesen|lire la suite|leer más|\
    leia mais|imprimer|imprimir|drucken|advertising|supported by|follow us|comments are closed|comment|comments|\
    be the first to comment|leave a comment|view comments|post a comment|join the conversation|loading|play video|\
    watch now|listen now|copy url|gift article|show more|load more|see all|view all|see more|more|read next|up next|\
    share this story|share this article|share this post|save for later|click to expand|story continues below|\
    article continues below|continue reading the main story|sign up|subscribe|log in|register|kommentieren|\
    diesen artikel teilen|artikel teilen|jetzt teilen|be sociable share|zurück zur übersicht|zurück zur startseite|\
    das könnte sie auch interessieren|das könnte dich auch interessieren|zum weiterlesen|weiterführende links|\
    empfohlener redaktioneller inhalt|empfehlungen aus der redaktion|weitere artikel zum thema|pdf version|view pdf|\
    download pdf|kommentare geschlossen|noch keine kommentare|mehr lesen|mehr erfahren|teilen|merken|nach oben|zurück|empfehlen|\
    commenter|partager|partager cet article|haut de page|en savoir plus|comentar|compartir|ver más|volver arriba|\
    comentários|compartilhar|partilhar|saiba mais|condividi|commenta|torna su|scopri di più|delen|reageer|meer lezen|\
    terug naar boven|dela|kommentera|udostępnij|skomentuj|drukuj|wróć|paylaş|yorum yap|yazdır|devamını oku|поделиться|\
    комментировать|печать|наверх|читать далее|подробнее|поділитися|читати далі|مشاركة|طباعة|اقرأ المزيد|שתפו|הדפסה|\
    קרא עוד|शेयर करें|और पढ़ें|分享|打印|阅读全文|閱讀全文|返回顶部|シェア|印刷|続きを読む|공유|인쇄|더 보기",
    )
});

/// Networks and ways to share a page, which are lines of their own.
static NETWORKS: Words = LazyLock::new(|| {
    words(
        "facebook|twitter|tweet|x|linkedin|pinterest|pin it|reddit|whatsapp|telegram|email|e mail|flipboard|tumblr|\
    messenger|instagram|youtube|threads|bluesky|mastodon|xing|vk|weibo|line|kakaotalk|pocket|instapaper|pdf|rss",
    )
});

/// Labels of links to other pages and of a page's categories, before a colon or another mark. Folded.
static LABELS: Words = LazyLock::new(|| {
    words(
        "\
    read more|read also|also read|read next|read|related|related story|related article|see also|see more|watch|more|\
    recommended|dont miss|tags|tag|topics|topic|filed under|filed in|categories|category|posted in|posted by|share|\
    share this|keywords|image source|image credit|photo credit|picture credit|\
    lesen sie auch|lesen sie mehr|lesen sie hier|mehr zum thema|mehr dazu|siehe auch|auch interessant|schlagworte|\
    schlagwörter|kategorien|kategorie|stichworte|themen|verfasst von|abgelegt unter|mehr zu|mehr infos|\
    weitere infos|weitere informationen|nachfolgebeitrag|artikel teilen|diesen artikel teilen|erschienen in|\
    den artikel mit anderen teilen|suggested citation|\
    lire aussi|à lire aussi|à lire|lire|voir aussi|sur le même sujet|mots clés|catégories|catégorie|\
    lee también|leer también|lea también|lea más|lee más|vea también|mira también|te puede interesar|ver también|más información|etiquetas|categorías|\
    leia também|leia mais|veja também|saiba mais|marcadores|leggi anche|leggi|potrebbe interessarti|etichette|\
    lees ook|lees meer|läs också|läs mer|czytaj też|czytaj także|czytaj więcej|czytaj również|dowiedz się więcej|więcej|zobacz też|zobacz także|\
    zobacz również|tagi|kategorie|ayrıca oku|ayrıca okuyun|ilgili haber|etiketler|\
    читайте также|читайте ещё|смотрите также|по теме|теги|метки|рубрика|рубрики|читайте також|дивіться також|\
    διαβάστε επίσης|διαβάστε ακόμη|اقرأ أيضا|اقرأ أيضاً|اقرأ المزيد|قد يهمك|شاهد أيضا|كلمات دلالية|קראו גם|קראו עוד|\
    תגיות|यह भी पढ़ें|ये भी पढ़ें|इसे भी पढ़ें|टैग|相关阅读|相關閱讀|延伸阅读|延伸閱讀|相关新闻|标签|標籤|责任编辑|責任編輯|編輯|编辑|\
    関連記事|あわせて読みたい|タグ|관련기사|관련 기사|태그",
    )
});

/// Starts of lines that lead elsewhere or describe the page. Folded.
const STARTS: &str = "\
    story continues|article continues|continue reading|read more about|read more from|read more on|read more at|\
    this article originally|this article was originally|this article first appeared|this post originally|\
    this post was originally|this story originally|this story was originally|originally published|first published|\
    a version of this article|a version of this story|reprinted with permission|republished from|\
    last updated|last modified|last edited|posted on|posted in|posted by|published on|published at|published by|\
    updated on|updated at|written on|filed under|all rights reserved|copyright|comments are closed|be the first to|\
    view all|view the|share this|share on|subscribe to our|sign up for our|join our|follow us|follow me on|\
    follow him on|follow her on|follow them on|email me when|get our newsletter|get the latest|click here for more|\
    subscribe to post comments|we want to hear what you think|this post contains affiliate|\
    this article contains affiliate|do you still have questions|support our journalism|from wikipedia|\
    zuletzt aktualisiert|aktualisiert am|veröffentlicht am|letzte änderung|letzte aktualisierung|erstellt am|\
    dieser beitrag wurde|dieser artikel erschien|dieser artikel ist|dieser text erschien|alle rechte|folgen sie uns|\
    folgt uns|abonnieren sie|jetzt abonnieren|hier geht es zu|\
    publié le|mis à jour|dernière mise à jour|modifié le|tous droits|suivez nous|abonnez vous|cet article est|\
    publicado el|actualizado el|última actualización|todos los derechos|síguenos|suscríbete|suscríbase|\
    publicado em|atualizado em|última atualização|todos os direitos|siga nos|assine a|inscreva se na|\
    pubblicato il|aggiornato il|ultima modifica|ultimo aggiornamento|tutti i diritti|seguici su|iscriviti alla|\
    gepubliceerd op|bijgewerkt op|laatst bijgewerkt|volg ons|publicerad|uppdaterad|följ oss|\
    opublikowano|aktualizacja|data publikacji|ostatnia aktualizacja|wszelkie prawa|obserwuj nas|\
    yayınlanma tarihi|yayın tarihi|güncelleme tarihi|son güncelleme|tüm hakları|bizi takip|\
    опубликовано|обновлено|дата публикации|все права|подписывайтесь на|подпишитесь на|следите за нами|\
    опубліковано|оновлено|усі права|підписуйтесь на|підпишіться на|δημοσιεύτηκε|ενημερώθηκε|τελευταία ενημέρωση|\
    ακολουθήστε μας|نشر في|تاريخ النشر|آخر تحديث|جميع الحقوق|تابعنا|تابعونا|اشترك في|פורסם|עודכן|כל הזכויות|עקבו אחרינו|\
    प्रकाशित|अपडेटेड|अंतिम अपडेट|सर्वाधिकार|हमें फॉलो";

/// Starts of lines in scripts without spaces.
const STARTS_DENSE: &str = "\
    责任编辑|責任編輯|发布时间|發布時間|更新时间|更新時間|最終更新|公開日|更新日|編集：|版权所有|版權所有|转载|轉載|关注我们|关注微信|\
    無断転載|フォローする|配信：|입력|수정|기사입력|최종수정|무단전재|저작권자|구독";

/// Requests to readers, combined with [`CHANNELS`]. Parts of lines in lower case.
const FOLLOW: &[&str] = &[
    "sign up",
    "signing up",
    "subscribe",
    "join our",
    "follow us",
    "follow our",
    "get our",
    "receive our",
    "delivered to",
    "in your inbox",
    "to your inbox",
    "anmelden",
    "melde dich",
    "melden sie",
    "abonnier",
    "in deinen posteingang",
    "in ihr postfach",
    "folgen sie",
    "folge uns",
    "folgt uns",
    "inscrivez",
    "abonnez",
    "recevez",
    "suivez",
    "suscríb",
    "regístrate",
    "síguenos",
    "siguenos",
    "recibe",
    "inscreva",
    "assine",
    "receba",
    "siga-nos",
    "siga o",
    "siga a",
    "iscriviti",
    "seguici",
    "ricevi",
    "schrijf je in",
    "meld je aan",
    "volg ons",
    "anmäl dig",
    "prenumerera",
    "följ oss",
    "zapisz się",
    "subskryb",
    "obserwuj",
    "dołącz",
    "abone ol",
    "takip ed",
    "kaydol",
    "подпис",
    "підпис",
    "εγγραφ",
    "ακολουθήστε",
    "اشترك",
    "تابعنا",
    "تابعونا",
    "הירשמו",
    "עקבו",
    "הצטרפו",
    "सब्सक्राइब",
    "फॉलो",
    "जुड़ें",
    "订阅",
    "訂閱",
    "关注",
    "關注",
    "扫码",
    "登録",
    "フォロー",
    "구독",
    "팔로우",
];

/// The channels between pages and their readers.
const CHANNELS: &[&str] = &[
    "newsletter",
    "inbox",
    "mailing list",
    "e-mail",
    "email",
    "posteingang",
    "postfach",
    "facebook",
    "twitter",
    "instagram",
    "telegram",
    "whatsapp",
    "youtube",
    "linkedin",
    "tiktok",
    "google news",
    "podcast",
    "boletín",
    "boletim",
    "notizie",
    "nieuwsbrief",
    "nyhetsbrev",
    "biuletyn",
    "bülten",
    "рассылк",
    "канал",
    "розсилк",
    "телеграм",
    "ενημερωτικ",
    "النشرة",
    "القناة",
    "فيسبوك",
    "ניוזלטר",
    "טלגרם",
    "न्यूज़लेटर",
    "चैनल",
    "व्हाट्सएप",
    "公众号",
    "微信",
    "電子報",
    "メルマガ",
    "ニュースレター",
    "뉴스레터",
    "채널",
];
/// Characters of the longest line with such a request.
const FOLLOWING: usize = 220;

/// Contributions of readers, which pages count.
static COUNTED: Words = LazyLock::new(|| {
    words(
        "\
    votes|ratings|reviews|comments|shares|likes|views|replies|avis|commentaires|notes|bewertungen|\
    kommentare|stimmen|valoraciones|votos|comentarios|voti|recensioni|oy|yorum|оценок|голосов|\
    комментариев",
    )
});

/// Words that introduce an author's name.
const BY: &str = "\
    by|posted by|written by|words by|von|par|por|di|door|av|автор|yazan|बाय|लेखक|द्वारा|بقلم|كتب|كتبت|文|\
    作者|記者|记者|文／|글";

/// Returns whether a heading introduces furniture.
pub(super) fn heads_furniture(heading: &str) -> bool {
    let folded = folded(heading);
    // "27 commentaires", "Comments (3)".
    let counted = folded.trim_matches(|c: char| c.is_numeric() || c == ' ');
    HEADINGS.contains(folded.as_str()) || (!counted.is_empty() && HEADINGS.contains(counted))
}

/// Returns whether a line alone is furniture, as a list item or a paragraph.
pub(super) fn is_furniture_line(line: &str) -> bool {
    let folded = folded(line);
    // "4.8 out of 5 (312 votes)".
    let counts = || {
        if line.trim_end().ends_with(['.', '!', '?', '。', '।']) {
            return false;
        }
        let mut words = folded.rsplit(' ');
        words.next().is_some_and(|last| COUNTED.contains(last))
            && words.next().is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit()))
    };
    LINES.contains(folded.as_str()) || counts() || is_labelled(line) || is_reading_time(line, &folded)
}

/// Returns whether a paragraph leads elsewhere or describes the page.
pub(super) fn is_furniture_paragraph(line: &str) -> bool {
    let folded = folded(line);
    let starts = |list: &str| {
        list.split('|').any(|s| folded.strip_prefix(s).is_some_and(|rest| rest.is_empty() || rest.starts_with(' ')))
    };
    let dense = STARTS_DENSE.split('|').any(|s| line.trim_start_matches(['(', '（', '[', '【', ' ']).starts_with(s));
    // "11Comments. Click to view comments".
    let bare = folded.trim_start_matches(|c: char| c.is_numeric());
    let words = bare.split_whitespace().count();
    let counted = bare.len() < folded.len()
        && (1..=5).contains(&words)
        && bare.split_whitespace().next().is_some_and(|w| COUNTED.contains(w));
    let ends =
        [" supported by", " sponsored by", " presented by", " präsentiert von"].iter().any(|e| folded.ends_with(e));
    NETWORKS.contains(folded.as_str())
        || ends
        || starts(STARTS)
        || dense
        || counted
        || asks_to_follow(line)
        || is_credit(line)
}

/// Returns whether a line starts with a label: "Read more: …", "Tags: …".
fn is_labelled(line: &str) -> bool {
    let marks = [':', '：', '»', '>', '›', '→', '|', '▶', '►'];
    let Some((label, rest)) = line.trim_start_matches(|c: char| !c.is_alphanumeric()).split_once(marks) else {
        return false;
    };
    !rest.starts_with("//") && label.chars().count() <= 40 && LABELS.contains(folded(label).as_str())
}

/// Returns whether a line asks to follow: "Sign up for our newsletter".
fn asks_to_follow(line: &str) -> bool {
    if line.chars().count() > FOLLOWING {
        return false;
    }
    let lower = line.to_lowercase();
    if lower.starts_with("follow ") && ["twitter", "facebook", "instagram"].iter().any(|n| lower.contains(n)) {
        return true;
    }
    FOLLOW.iter().any(|f| lower.contains(f)) && CHANNELS.iter().any(|c| lower.contains(c))
}

/// Words before an author's name, at the start of a line.
const BEFORE_NAME: &[&str] = &[
    "by ",
    "posted by ",
    "written by ",
    "words by ",
    "von ",
    "par ",
    "por ",
    "di ",
    "автор: ",
    "автор ",
    "yazan: ",
    "लेखक: ",
    "بقلم: ",
    "الكاتب: ",
];
/// Marks before an author's name, anywhere in a line.
const MARKS_OF_NAME: &[&str] = &["作者：", "作者:", "文／", "記者／", "记者 "];
/// Lower-case words within names.
const PARTICLES: &[&str] =
    &["van", "von", "de", "der", "den", "da", "di", "du", "la", "le", "el", "al", "bin", "und", "and"];

/// Returns the author that a line names, if it is a byline.
pub(super) fn author_in(line: &str) -> Option<String> {
    let line = line.trim();
    let lower = line.to_lowercase();
    // Lower-casing changes the length of none of these words.
    let begun = BEFORE_NAME.iter().find(|b| lower.starts_with(**b)).and_then(|b| line.get(b.len()..));
    let rest = begun.or_else(|| MARKS_OF_NAME.iter().find_map(|m| line.split_once(m).map(|(_, rest)| rest)))?;
    let ends = |c: char| {
        c.is_numeric() || matches!(c, ',' | '，' | '·' | '|' | '(' | '（' | '【' | '、' | '–' | '—' | '»' | ';' | ':')
    };
    let name = rest.split(ends).next().unwrap_or("");
    let name = name.split(" - ").next().unwrap_or("").split(" on ").next().unwrap_or("").trim();
    // A Chinese name ends at a space.
    let name = if begun.is_none() { name.split_whitespace().next().unwrap_or("") } else { name };
    let words: Vec<&str> = name.split_whitespace().collect();
    let upper = |w: &str| w.chars().next().is_some_and(|c| !c.is_lowercase() && c.is_alphabetic());
    let named = words.iter().all(|w| upper(w) || PARTICLES.contains(w)) && words.first().is_some_and(|w| upper(w));
    let long = (2..=40).contains(&name.chars().count()) && words.len() <= 5 && !name.ends_with('.');
    (named && long).then(|| name.to_owned())
}

/// Returns whether a line is a byline: it contains the author and little else, or starts as bylines do.
pub(super) fn is_byline(line: &str, author: Option<&str>) -> bool {
    let line = folded(line);
    let words = line.split(' ').count();
    let named = author.map(folded).filter(|a| !a.is_empty()).is_some_and(|a| line.contains(&a));
    let begins = BY.split('|').any(|by| line == by || line.strip_prefix(by).is_some_and(|rest| rest.starts_with(' ')));
    (named && words <= 14) || (begins && words <= 14 && line.chars().any(|c| c.is_numeric()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_and_lines_tell_furniture() {
        for heading in
            ["Read more", "27 commentaires", "Comments (3)", "İlginizi çekebilir", "यह भी पढ़ें", "À lire aussi :"]
        {
            assert!(heads_furniture(heading), "{heading}: {:?}", folded(heading));
        }
        for heading in ["Leaves that stay put", "Related work in three fields", "2026", ""] {
            assert!(!heads_furniture(heading), "{heading}");
        }
        assert!(is_furniture_line(" ADVERTISEMENT ") && is_furniture_line("विज्ञापन"));
        assert!(!is_furniture_line("Advertisement pays for it."));
    }

    #[test]
    fn lines_lead_elsewhere_in_every_language() {
        for line in [
            "Read more: Why tides turn",
            "Related: Why tides turn",
            "Lesen Sie auch: Warum sich Gezeiten wenden",
            "À lire aussi : Pourquoi les marées tournent",
            "Lee también: Por qué cambian las mareas",
            "Leia também: Por que as marés mudam",
            "Leggi anche: Perché le maree cambiano",
            "Lees ook: Waarom het tij keert",
            "Läs också: Varför tidvattnet vänder",
            "Czytaj też: Dlaczego pływy się zmieniają",
            "Ayrıca oku: Gelgitler neden döner",
            "Читайте также: Почему меняются приливы",
            "Читайте також: Чому змінюються припливи",
            "اقرأ أيضا: لماذا يتغير المد",
            "यह भी पढ़ें: ज्वार क्यों बदलते हैं",
            "延伸阅读：潮汐为何变化",
            "関連記事：潮はなぜ変わるのか",
            "관련기사: 조수는 왜 바뀌는가",
            "Tags: tides, moon",
            "12 comments",
        ] {
            assert!(is_furniture_line(line), "{line}");
        }
        for line in [
            "Sign up for our newsletter and get the tides each morning.",
            "Abonnieren Sie unseren Newsletter",
            "Abonnez-vous à notre newsletter",
            "Suscríbete a nuestro boletín",
            "Подписывайтесь на наш канал",
            "11Comments. Click to view comments",
            "Story continues below",
            "Last updated: 9 November",
            "Seascape is supported by",
            "Facebook",
        ] {
            assert!(is_furniture_paragraph(line), "{line}");
        }
        for line in [
            "Read the label: it says what is inside.",
            "The newsletter of the harbour is a hundred years old.",
            "Sign up at the pier.",
            "Comments by readers changed the plan.",
            "https://tides.example",
        ] {
            assert!(!is_furniture_line(line) && !is_furniture_paragraph(line), "{line}");
        }
    }

    #[test]
    fn authors_are_found_in_their_lines() {
        for (line, author) in [
            ("By Ada Moor, tide reporter", Some("Ada Moor")),
            ("Posted by Noor van Dalen on 9 November", Some("Noor van Dalen")),
            ("Автор: Павел Гордеев, 14 марта 2003 г.", Some("Павел Гордеев")),
            ("2026-04-06 10:22 来源：青溪生活网 作者：何文涛 【字号】", Some("何文涛")),
            ("By 1904 the mill stood", None),
            ("Par ailleurs", None),
            ("Von hier aus", None),
            ("By", None),
        ] {
            assert_eq!(author_in(line).as_deref(), author, "{line}");
        }
    }

    #[test]
    fn bylines_are_short_and_named() {
        let author = Some("Ada Moor");
        assert!(is_byline("By Ada Moor, tide reporter · 9 November", author));
        assert!(is_byline("Posted by Bo Lund on 9 November 2026", None));
        assert!(!is_byline(
            "By 1904 the mill had stood for a century, and nobody in the town knew any more who had built it.",
            None
        ));
        assert!(!is_byline("The mill was built in 1904.", author));
    }
}
