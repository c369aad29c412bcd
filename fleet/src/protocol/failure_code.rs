//! The codes with which jobs fail. On the wire and in stored rows a code is its name, so that coordinators and workers
//! of different versions accept each other's codes.

use super::Failure;

/// Defines [`FailureCode`]. Each row has a variant, its name, whether a generation can end with it, and whether it is a
/// fault of the input.
macro_rules! codes {
    ($($(#[$doc:meta])+ $variant:ident $name:literal $ends:literal $input:literal;)+) => {
        /// Why a job failed.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum FailureCode {
            $($(#[$doc])+ $variant),+
        }

        impl FailureCode {
            /// Every code, in the order in which the OpenAPI document lists them.
            const ALL: [Self; [$(Self::$variant),+].len()] = [$(Self::$variant),+];

            /// Returns the code on the wire, in stored rows and in the API.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name),+
                }
            }

            /// Returns whether a generation can end with this code.
            fn ends_generations(self) -> bool {
                match self {
                    $(Self::$variant => $ends),+
                }
            }

            /// Returns whether it may be a fault of the input that only reading the input reveals. An estimate reports
            /// such a code as a fault of the request.
            fn may_be_of_input(self) -> bool {
                match self {
                    $(Self::$variant => $input),+
                }
            }
        }
    };
}

codes! {
    /// A page in the page language is invalid.
    PageInvalid "page_invalid" true false;
    /// The input has nothing to make pages of.
    NoContent "no_content" true true;
    /// The content fills fewer slides than requested.
    TooLittleContent "too_little_content" true true;
    /// The content does not fit.
    ContentTooLong "content_too_long" true true;
    /// The URL may not be fetched.
    UrlNotAllowed "url_not_allowed" true true;
    /// The URL could not be fetched.
    UrlFetchFailed "url_fetch_failed" true true;
    /// The content of the URL is too large.
    UrlTooLarge "url_too_large" true true;
    /// The URL leads to content of an unsupported type.
    UrlUnsupportedType "url_unsupported_type" true true;
    /// The PDF is broken.
    PdfInvalid "pdf_invalid" true true;
    /// The PDF needs a password.
    PdfEncrypted "pdf_encrypted" true true;
    /// The PDF has no text.
    PdfNoText "pdf_no_text" true true;
    /// The PDF has too much text.
    PdfTooLarge "pdf_too_large" true true;
    /// Reading the PDF exceeds the limits.
    PdfTooComplex "pdf_too_complex" true true;
    /// The file is broken.
    FileInvalid "file_invalid" true true;
    /// The file needs a password.
    FileEncrypted "file_encrypted" true true;
    /// Reading the file exceeds the limits.
    FileTooComplex "file_too_complex" true true;
    /// The words could not be translated.
    TranslationUnavailable "translation_unavailable" true true;
    /// The job could not be done, for no fault of the client.
    RenderFailed "render_failed" true true;
    /// The object store could not be reached or refused the request.
    StorageFailed "storage_failed" true false;
    /// A stored object is damaged or missing.
    StorageDamaged "storage_damaged" true false;
    /// A stage exceeded its deadline.
    TimedOut "timed_out" true true;
    /// The generation was cancelled before the page was rendered.
    RenderCancelled "render_cancelled" true false;
    /// Too many requests of the account wait for a result. Only requests that wait for one get it.
    Busy "busy" false false;
}

impl FailureCode {
    /// Returns every code with which a generation can end.
    pub fn of_generations() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|code| code.ends_generations())
    }
}

impl std::fmt::Display for FailureCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl From<FailureCode> for String {
    fn from(code: FailureCode) -> Self {
        code.name().to_owned()
    }
}

impl Failure {
    /// Returns whether the failure has this code.
    pub fn is(&self, code: FailureCode) -> bool {
        self.code == code.name()
    }

    /// Returns the code if it may be a fault of the input that only reading the input reveals.
    pub fn of_input(&self) -> Option<FailureCode> {
        FailureCode::ALL.into_iter().find(|code| self.is(*code) && code.may_be_of_input())
    }
}
