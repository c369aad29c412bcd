//! An input that isn't plain text: a page, a PDF or another file. It is fetched under guard, read in the sandbox, and
//! converted to a document.

use bytes::Bytes;
use fleet::files::{FileKind, Hint, READ_KINDS, UnreadFile};
use fleet::net::{self, FetchError, Fetcher, Kind};
use fleet::protocol::{Failure, FailureCode};
use fleet::sandbox::{Limits, Sandbox, SandboxError, Task};
use render_core::content::{ContentError, Document, Language, ReadOptions, read_text_with};
use serde::{Deserialize, Serialize};

use super::clip::clip;
use super::file;
use super::pdf;
use super::photo::LeadAt;
use super::url::{self, Article, Page, PageError};
use crate::failure;
use crate::metrics::FETCHES;

/// The content types that are accepted for a page.
pub(crate) const PAGES: &[Kind] = &[Kind::Html, Kind::Text, Kind::Pdf, Kind::File];
/// The content types that are accepted for a file. HTML is not: servers send a page for a file that no longer exists.
pub(crate) const FILES: &[Kind] = &[Kind::Pdf, Kind::File, Kind::Text];
/// Bytes of a page's article that the sandbox may return.
const ANSWER: usize = 8 << 20;

/// The child's task: a page as [`packed`] → its article.
pub(crate) const PAGE: Task = Task { name: "page", run: read_packed };

/// The content of a URL.
#[derive(Debug)]
pub(crate) enum Fetched {
    /// A page, as received.
    Page(net::Fetched),
    /// The article of a page.
    Article(Article),
    /// A text, as received.
    Text(net::Fetched),
    /// A PDF, as received, and its host.
    PdfFile(Bytes, Option<String>),
    /// The text of a PDF.
    Pdf(Pdf),
    /// A file of another kind, as received, and its host.
    File(FileKind, Bytes, Option<String>),
    /// The text of such a file.
    Read(file::Read, Option<String>),
}

/// A PDF that was read.
#[derive(Debug)]
pub(crate) struct Pdf {
    read: pdf::Read,
    /// The host that it was fetched from.
    host: Option<String>,
    /// The file, if it has pictures that may be shown.
    file: Option<Bytes>,
}

/// Fetches `url` (UTF-8), if its content is of a wanted kind.
///
/// # Errors
/// A [`Failure`] with the API's code.
pub(crate) async fn fetch(url: &[u8], wanted: &'static [Kind], fetcher: &Fetcher) -> Result<Fetched, Failure> {
    let url =
        std::str::from_utf8(url).map_err(|_| failure::lasting(FailureCode::UrlFetchFailed, "the URL is not UTF-8"))?;
    let fetched = fetcher.fetch(url, wanted).await;
    let outcome = fetched.as_ref().map_or_else(|e| e.code().name(), |_| "fetched");
    metrics::counter!(FETCHES, "what" => "page", "outcome" => outcome).increment(1);
    match fetched {
        Ok(fetched) => Ok(match fetched.kind {
            Kind::Html => Fetched::Page(fetched),
            Kind::Text | Kind::File => of_fetched(fetched)?,
            Kind::Pdf => Fetched::PdfFile(fetched.body, host(&fetched.url)),
            Kind::Picture => {
                return Err(failure::lasting(FailureCode::UrlUnsupportedType, "The URL leads to a picture."));
            }
        }),
        Err(e) => {
            tracing::info!(error = ?e, "fetching an address failed");
            let mut message = format!("The address could not be read: {e}.");
            if matches!(e, FetchError::Type(_)) {
                message.push_str(&format!(" Files that are read: {READ_KINDS}."));
            }
            Err(Failure { code: e.code().into(), message, retry: e.retry(), tokens: None, usage: None })
        }
    }
}

/// Detects the kind of a fetched text or file: its bytes decide, with its address and media type as hints.
fn of_fetched(fetched: net::Fetched) -> Result<Fetched, Failure> {
    let path = ::url::Url::parse(&fetched.url).map(|url| url.path().to_owned()).unwrap_or_default();
    let hint = Hint { name: Some(&path), media: fetched.media.as_deref() };
    let kind = match FileKind::detect(&fetched.body, hint) {
        Ok(kind) => kind,
        Err(UnreadFile::Encrypted) => {
            return Err(failure::lasting(FailureCode::FileEncrypted, UnreadFile::Encrypted.to_string()));
        }
        // If the server calls it text, it is read as text.
        Err(_) if fetched.kind == Kind::Text => FileKind::Text,
        Err(why) => return Err(failure::lasting(FailureCode::UrlUnsupportedType, why.to_string())),
    };
    Ok(match kind {
        FileKind::Pdf => Fetched::PdfFile(fetched.body, host(&fetched.url)),
        FileKind::Html if fetched.kind == Kind::File => Fetched::Page(fetched),
        FileKind::Html | FileKind::Markdown | FileKind::Text => Fetched::Text(fetched),
        kind => Fetched::File(kind, fetched.body, host(&fetched.url)),
    })
}

impl Fetched {
    /// Returns an uploaded file.
    pub fn of_file(kind: FileKind, file: Bytes) -> Self {
        let plain = |kind, body| net::Fetched { url: String::new(), kind, media: None, charset: None, body };
        match kind {
            FileKind::Pdf => Self::PdfFile(file, None),
            FileKind::Html => Self::Page(plain(Kind::Html, file)),
            FileKind::Markdown | FileKind::Text => Self::Text(plain(Kind::Text, file)),
            kind => Self::File(kind, file, None),
        }
    }

    /// Extracts a page's article or a PDF's text in a child process, because either may be malicious.
    ///
    /// # Errors
    /// A [`Failure`] if there is no text, or if it exceeded the limits.
    pub async fn extracted(self, sandbox: &Sandbox) -> Result<Self, Failure> {
        self.extracted_within(sandbox, Limits { answer: ANSWER, ..Limits::default() }).await
    }

    async fn extracted_within(self, sandbox: &Sandbox, limits: Limits) -> Result<Self, Failure> {
        let page = match self {
            Self::Page(page) => page,
            Self::File(kind, bytes, host) => {
                return Ok(Self::Read(file::extracted(kind, &bytes, sandbox).await?, host));
            }
            Self::PdfFile(file, host) => {
                let read = pdf::extracted(file.clone(), sandbox).await?;
                let file = Some(file).filter(|_| !read.figures.is_empty());
                return Ok(Self::Pdf(Pdf { read, host, file }));
            }
            read => return Ok(read),
        };
        let input = packed(&page).map_err(|e| failure::lasting(FailureCode::UrlFetchFailed, e.to_string()))?;
        let answer = sandbox.run(PAGE.name, input, limits).await.map_err(|e| broken(&e))?;
        let answer: Result<Article, PageError> = serde_json::from_slice(&answer).map_err(|e| {
            failure::passing(FailureCode::RenderFailed, format!("the sandbox's answer can't be read: {e}"))
        })?;
        answer.map(Self::Article).map_err(|e| failure::lasting(e.code(), format!("The page could not be read: {e}.")))
    }

    /// Reads the document, with the caller's options.
    ///
    /// # Errors
    /// A [`Failure`] if there is no text.
    pub fn document(&self, options: ReadOptions) -> Result<Document, Failure> {
        match self {
            Self::Article(article) => of_article(article, options),
            Self::Text(text) => {
                let words = url::plain(&text.body, text.charset.as_deref());
                read(&words, &ReadOptions { source: host(&text.url), ..options })
            }
            Self::Pdf(pdf) => pdf::document(&pdf.read, pdf.host.clone(), options),
            Self::Read(read, host) => file::document(read, host.as_deref(), options),
            Self::Page(_) | Self::PdfFile(..) | Self::File(..) => {
                Err(failure::passing(FailureCode::RenderFailed, "the input was not extracted"))
            }
        }
    }

    /// Returns where to get its lead photograph.
    pub fn lead(&self) -> Option<LeadAt<'_>> {
        match self {
            Self::Article(article) => article.image.as_deref().map(LeadAt::Address),
            Self::Pdf(Pdf { read, file: Some(file), .. }) => Some(LeadAt::Figures(file, &read.figures)),
            _ => None,
        }
    }

    /// Returns the base URL of relative addresses in its words.
    pub fn base(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text.url.as_str()).filter(|url| !url.is_empty()),
            _ => None,
        }
    }

    /// Returns the words that its document is read from.
    pub fn words(&self) -> String {
        match self {
            Self::Article(article) => clip(&article.markdown).to_owned(),
            Self::Text(text) => clip(&url::plain(&text.body, text.charset.as_deref())).to_owned(),
            Self::Pdf(pdf) => clip(&pdf.read.markdown).to_owned(),
            Self::Read(read, _) => clip(&read.markdown).to_owned(),
            Self::Page(_) | Self::PdfFile(..) | Self::File(..) => String::new(),
        }
    }
}

/// Returns the document of a web page in a file, read as if it had been fetched from `url`.
///
/// # Errors
/// The reason, in one sentence.
pub async fn page_of_file(html: Bytes, url: &str, sandbox: &Sandbox) -> Result<Document, String> {
    let page = net::Fetched { url: url.to_owned(), kind: Kind::Html, media: None, charset: None, body: html };
    let extracted = Fetched::Page(page).extracted(sandbox).await;
    extracted.and_then(|fetched| fetched.document(ReadOptions::default())).map_err(|failure| failure.message)
}

/// The header that precedes a page's bytes on their way into the sandbox.
#[derive(Serialize, Deserialize)]
struct Label {
    url: String,
    charset: Option<String>,
}

/// Packs a page for the child: the header as JSON, a line end, the bytes.
fn packed(page: &net::Fetched) -> serde_json::Result<Bytes> {
    let mut packed = serde_json::to_vec(&Label { url: page.url.clone(), charset: page.charset.clone() })?;
    packed.push(b'\n');
    packed.extend_from_slice(&page.body);
    Ok(packed.into())
}

fn read_packed(packed: &[u8]) -> Result<Vec<u8>, String> {
    let end = packed.iter().position(|b| *b == b'\n').ok_or("no label")?;
    let label: Label = serde_json::from_slice(&packed[..end]).map_err(|e| e.to_string())?;
    let page = Page { url: &label.url, charset: label.charset.as_deref(), bytes: &packed[end + 1..] };
    serde_json::to_vec(&url::read_page(page)).map_err(|e| e.to_string())
}

/// Returns why the sandbox abandoned a page. The cause of a crash stays in the log.
fn broken(error: &SandboxError) -> Failure {
    tracing::warn!(%error, "reading a page in the sandbox failed");
    match error {
        SandboxError::TimedOut => failure::lasting(FailureCode::TimedOut, "The page takes too long to read."),
        SandboxError::OutOfMemory | SandboxError::AnswerTooLarge => {
            failure::lasting(FailureCode::UrlTooLarge, "The page takes too much memory to read.")
        }
        SandboxError::Start(_) => {
            failure::passing(FailureCode::RenderFailed, "no sandbox could be started to read the page in")
        }
        SandboxError::Refused(_) | SandboxError::Forbidden | SandboxError::Crashed(_) => {
            failure::lasting(FailureCode::NoContent, "The page is malformed and can't be read.")
        }
    }
}

fn of_article(article: &Article, options: ReadOptions) -> Result<Document, Failure> {
    // A page may declare the language of its template. The declared language counts only if it specifies the detected
    // one further.
    let declared = article.language.as_deref().and_then(|tag| Language::parse(tag).ok());
    let declared = || declared.filter(|d| d.primary() == Language::detect(&article.markdown).primary());
    let language = options.language.or_else(declared);
    let (source, declared) = (article.source(), article.declared);
    read(&article.markdown, &ReadOptions { language, source, declared, markdown: true, ..options })
}

fn read(text: &str, options: &ReadOptions) -> Result<Document, Failure> {
    read_text_with(clip(text), options).map_err(|e| match e {
        ContentError::Empty => failure::lasting(FailureCode::NoContent, "The page contains no text."),
        ContentError::TooLong(_) => failure::lasting(FailureCode::UrlTooLarge, format!("The page is too long: {e}.")),
    })
}

/// Returns the host of a URL, without "www.".
fn host(url: &str) -> Option<String> {
    let url = ::url::Url::parse(url).ok()?;
    url.host_str().map(|h| h.strip_prefix("www.").unwrap_or(h).to_owned())
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use fleet::net::{Guard, Parts};
    use render_core::content::{BlockKind, Subject};
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    use super::*;

    fn page(kind: Kind, body: &str) -> net::Fetched {
        let url = "https://www.pages.example/a".to_owned();
        net::Fetched { url, kind, media: None, charset: None, body: Bytes::copy_from_slice(body.as_bytes()) }
    }

    /// Returns the document of a page, through the sandbox.
    async fn document(body: &str, title: Option<&str>) -> Result<Document, Failure> {
        let sandbox = Sandbox::new(1).unwrap();
        let options = ReadOptions { title: title.map(str::to_owned), ..ReadOptions::default() };
        Fetched::Page(page(Kind::Html, body)).extracted(&sandbox).await?.document(options)
    }

    const ARTICLE: &str = "<html lang=en-GB><title>Why tides turn | Tidewater</title><meta property=og:site_name \
        content=Tidewater><body><nav><a href=/>Home</a></nav><article><h1>Why tides turn</h1><p>The sea rises and falls \
        twice a day, and the moon pulls at the water. At new and full moon the tides are highest, for the sun pulls the \
        same way.</p><h2>Spring tides</h2><p>They come with the full moon and rise by a fifth more than others.</p>\
        <h2>Neap tides</h2><p>They come with the half moon.</p></article>";

    #[tokio::test]
    async fn a_page_becomes_a_document() {
        let said = document(ARTICLE, None).await.unwrap();
        assert_eq!(said.title.text, "Why tides turn");
        assert_eq!(said.language.code(), "en-GB");
        assert_eq!(said.source.unwrap().text, "Tidewater");
        let titled = document(ARTICLE, Some(" Tides ")).await.unwrap();
        assert_eq!(titled.title.text, "Tides");
    }

    /// Returns a page of these words that describes itself in JSON-LD.
    fn declaring(json: &str, title: &str, body: &str) -> String {
        format!(
            "<html lang=en><title>{title} | Tidewater</title><script type='application/ld+json'>{json}</script>\
             <article><h1>{title}</h1>{body}</article>"
        )
    }

    #[tokio::test]
    async fn a_news_article_announces_nothing_whatever_its_words_say() {
        let story = "<p>Updated 21 April 2026, 11:29 a.m.</p><p>The night ferry turned back to the north pier on 20 April \
            2026 at 23:40 when the wind rose. Sixty people were on board, and all of them are safe.</p><p>Registration for \
            the replacement crossing opens at 7:00 a.m. at the harbour office, 4 Quay Street.</p><p>Get 20 % off your first \
            night at sponsor-hotel.example with code FERRY20.</p>";
        let page = |kind: &str| declaring(kind, "Ferry turns back in the storm", story);
        let said = async |kind: &str| document(&page(kind), None).await.unwrap();
        let undeclared = said(r#"{"@type": "WebPage"}"#).await;
        assert!(undeclared.announcement().is_some(), "the words alone look like an offer");
        for kind in ["NewsArticle", "BlogPosting", "Report"] {
            let read = said(&format!(r#"{{"@type": "{kind}", "headline": "Ferry turns back in the storm"}}"#)).await;
            assert_eq!(read.announcement(), None, "{kind}");
            let call = read.blocks.iter().find(|b| matches!(b.kind, BlockKind::CallToAction(_)));
            assert_eq!(call, None, "{kind}");
            assert!(!format!("{:?}", read.blocks).contains("sponsor"), "{kind}: {:?}", read.blocks);
        }
    }

    #[tokio::test]
    async fn a_page_of_an_event_or_an_offer_announces_it() {
        let evening = "<div class=event-date>12 May 2027, 19:00</div><p>Where: Mill Hall, 4 Quay Street</p><p>The choir of the harbour sings what \
            sailors sang on the long way home. Tickets with 20 % off for members until 1 May 2027.</p>";
        let lamp = "<p>A lamp for the field that burns through two nights and folds to the size of a hand. \
            It hangs from a branch or stands in the sand, and rain does it no harm.</p>\
            <p>$48</p><p>20 % off until 12 May 2027.</p>";
        for (json, title, body, subject) in [
            (
                r#"{"@graph": [{"@type": "MusicEvent", "name": "Songs"}]}"#,
                "Songs of the harbour",
                evening,
                Subject::Event,
            ),
            (
                r#"{"@type": "Product", "name": "Lamp", "offers": {"@type": "Offer"}}"#,
                "Field lamp",
                lamp,
                Subject::Offer,
            ),
        ] {
            let said = document(&declaring(json, title, body), None).await.unwrap();
            assert_eq!(said.announcement().map(|a| a.subject), Some(subject), "{title}: {said:?}");
        }
    }

    #[tokio::test]
    async fn a_file_is_read_as_the_page_that_it_holds() {
        let sandbox = Sandbox::new(1).unwrap();
        let read = async |html: &'static str| page_of_file(html.into(), "https://www.pages.example/a", &sandbox).await;
        assert_eq!(read(ARTICLE).await.unwrap(), document(ARTICLE, None).await.unwrap());
        assert_eq!(read("<p>").await.unwrap_err(), document("<p>", None).await.unwrap_err().message);
    }

    #[tokio::test]
    async fn the_language_of_a_template_is_not_believed() {
        let text = "Die Gezeiten steigen und fallen zweimal am Tag, weil der Mond an dem Wasser zieht. Bei Vollmond sind \
            sie am höchsten, denn dann zieht auch die Sonne. Wer ins Watt geht, sollte das wissen und die Zeiten kennen.";
        let html = format!("<html lang=en><title>Gezeiten</title><article><p>{text}</p></article>");
        assert_eq!(document(&html, None).await.unwrap().language.primary(), "de");
    }

    #[test]
    fn texts_are_read_as_texts() {
        let text = |words: &str| Fetched::Text(page(Kind::Text, words)).document(ReadOptions::default());
        let document = text("# Tides\n\nThe sea rises and falls twice a day.\n").unwrap();
        assert_eq!((document.title.text.as_str(), document.source.unwrap().text.as_str()), ("Tides", "pages.example"));
        // The beginning of a text that is too long.
        let long = format!("# Tides\n\n{}", "The sea rises and falls. ".repeat(20_000));
        assert!(text(&long).is_ok());
        assert_eq!(text(" \n").unwrap_err().code, "no_content");
    }

    #[test]
    fn the_bytes_of_a_file_tell_what_it_is_and_its_address_and_type_help() {
        let fetched = |path: &str, kind, media: &str, body: &[u8]| {
            let url = format!("https://www.pages.example{path}");
            let body = Bytes::copy_from_slice(body);
            of_fetched(net::Fetched { url, kind, media: Some(media.to_owned()), charset: None, body })
        };
        let ports = b"port,range\nBrest,6\n";
        for (path, kind, media) in [("/ports.csv?raw=1", Kind::Text, "text/plain"), ("/export", Kind::File, "text/csv")]
        {
            let found = fetched(path, kind, media, ports).unwrap();
            assert!(
                matches!(&found, Fetched::File(FileKind::Csv, _, Some(host)) if host == "pages.example"),
                "{found:?}"
            );
        }
        for (path, body) in [("/a", &b"Tides"[..]), ("/a.json", b"{}"), ("/a", b"<!doctype html>"), ("/a", b"caf\xe9")]
        {
            assert!(matches!(fetched(path, Kind::Text, "text/plain", body), Ok(Fetched::Text(_))), "{path}");
        }
        assert!(matches!(fetched("/a", Kind::File, "application/epub+zip", b"%PDF-1.7"), Ok(Fetched::PdfFile(..))));
        let refused = fetched("/a.docx", Kind::File, "application/epub+zip", b"<p>Gone").unwrap_err();
        assert_eq!(refused.code, "url_unsupported_type");
        assert!(refused.message.contains("claims to be DOCX"), "{}", refused.message);
    }

    #[tokio::test]
    async fn a_file_that_was_sent_becomes_a_document() {
        let sandbox = Sandbox::new(1).unwrap();
        for (kind, file) in
            [(FileKind::Html, ARTICLE), (FileKind::Markdown, "# Why tides turn\n\nThe moon pulls at the sea.")]
        {
            let read = Fetched::of_file(kind, file.into()).extracted(&sandbox).await.unwrap();
            assert_eq!(read.document(ReadOptions::default()).unwrap().title.text, "Why tides turn");
        }
        let table = "port,range in metres\nBrest,6.1\nRoscoff,8.2\nSaint-Malo,12.2\n";
        let read = Fetched::of_file(FileKind::Csv, table.into()).extracted(&sandbox).await.unwrap();
        let titled = ReadOptions { title: Some("Tides".into()), ..ReadOptions::default() };
        let document = read.document(titled).unwrap();
        assert_eq!(document.title.text, "Tides");
        assert!(format!("{document:?}").contains("Saint-Malo"));
        let broken = Fetched::of_file(FileKind::Docx, "PK\u{3}\u{4}".into()).extracted(&sandbox).await.unwrap_err();
        assert_eq!((broken.code.as_str(), broken.retry), ("file_invalid", false));
    }

    #[tokio::test]
    async fn what_says_nothing_has_no_content() {
        for body in ["", "<title>App</title><div id=root></div><noscript>Enable JavaScript</noscript>", "\0\0\0"] {
            let failed = document(body, None).await.unwrap_err();
            assert_eq!((failed.code.as_str(), failed.retry), ("no_content", false), "{body}");
        }
    }

    #[tokio::test]
    async fn a_page_that_takes_for_ever_ends_and_the_next_is_read() {
        let bomb = Fetched::Page(page(Kind::Html, &"<table><tr><td>x".repeat(100_000)));
        let short = Limits { wall: std::time::Duration::from_millis(1), ..Limits::default() };
        let failed = bomb.extracted_within(&Sandbox::new(1).unwrap(), short).await.unwrap_err();
        assert!(failed.code == "timed_out" && !failed.retry, "{failed:?}");
        assert!(document(ARTICLE, None).await.is_ok());
    }

    #[tokio::test]
    async fn a_failure_says_what_and_whether_it_may_pass() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let server = tokio::spawn(async move {
            for answer in [
                "503 Busy\r\nContent-Length: 0\r\n\r\n",
                "200 OK\r\nContent-Length: 5\r\nContent-Type: text/plain\r\n\r\nTides",
            ] {
                let (mut stream, _) = listener.accept().await.unwrap();
                let mut request = [0; 1024];
                assert!(stream.read(&mut request).await.unwrap() > 0);
                stream.write_all(format!("HTTP/1.1 {answer}").as_bytes()).await.unwrap();
            }
        });
        let fetcher = Fetcher::new(Parts::of_the_system(Guard::new(vec![address.to_string().parse().unwrap()])));
        let url = format!("http://{address}/");
        let failed = fetch(url.as_bytes(), PAGES, &fetcher).await.unwrap_err();
        assert_eq!((failed.code.as_str(), failed.retry), ("url_fetch_failed", true));
        assert!(failed.message.contains("503"), "{}", failed.message);
        let Fetched::Text(text) = fetch(url.as_bytes(), PAGES, &fetcher).await.unwrap() else { panic!("no text") };
        assert_eq!(&text.body[..], b"Tides");
        server.await.unwrap();
        let failed = fetch(b"http://169.254.169.254/", PAGES, &fetcher).await.unwrap_err();
        assert_eq!((failed.code.as_str(), failed.retry), ("url_not_allowed", false));
        assert_eq!(fetch(b"\xff", PAGES, &fetcher).await.unwrap_err().code, "url_fetch_failed");
    }
}
