//! Turkish, Arabic, Hindi, Japanese and Chinese.

use super::Words;

pub(super) const ALL: [Words; 5] = [
    Words {
        code: "tr",
        function: "ve veya ya da de ki bu şu o bir her hiç çok daha en az ile için gibi kadar göre sonra önce beri ama fakat \
            ancak çünkü eğer ise mi mı mu mü ne nasıl neden niçin kim hangi nerede zaman var yok değil olan olarak oldu olur \
            olmak ben sen biz siz onlar bana sana ona bize size onlara beni seni onu bizi sizi onları benim senin onun bizim \
            sizin onların bunu şunu bunun şunun kendi tüm bütün bazı hem diye artık hâlâ hala bile sadece yalnızca zaten yani \
            burada orada üzerinde altında içinde arasında",
        openers: "ama|fakat|ancak|ve|ayrıca|üstelik|bu yüzden|bu nedenle|örneğin|mesela|kısacası|yani|elbette|sonunda|önce|\
            sonra|böylece|bununla birlikte|öte yandan|aslında",
        pointing: "o bu şu onlar bunlar şunlar onu bunu onun bunun onların bunların böyle öyle orada burada ikisi",
        negation: "değil hiç hiçbir hiçbiri yok asla ne hariç yalnızca sadece",
        conditions: "eğer|ise|sürece|hariç|dışında|kadar|ancak|yalnızca|sadece|ama|fakat|oysa|rağmen|yoksa|aksi|\
            şartıyla|koşuluyla|halinde|durumunda|önce|sonra|en az|en fazla|yerine|iken|ken",
        limits: "altında|altındaki|üstünde|üstündeki|üzeri|üzerindeki|kadar|en az|en fazla|itibaren|arasında|asgari|azami",
        before_figure: "",
        trailing: "çünkü ama ancak özellikle ki böylece",
        according: "göre",
        saying: "diyor dedi diye söylüyor söyledi anlatıyor anlattı açıkladı açıklıyor ekledi ekliyor yazdı yazıyor hatırlıyor",
        calls: "indirin|okuyun|deneyin|başlayın|katılın|kaydolun|abone olun|ziyaret edin|takip edin|paylaşın|kaydedin|yazın|\
            sipariş verin|keşfedin|gelin|sorun|bulun|arayın|bize ulaşın|rezervasyon yapın|yer ayırtın|satın alın|gönderin|\
            indir|oku|dene|başla|katıl|takip et|paylaş|kaydet|kaydol|tıklayın|öğrenin",
        numbered: "adım aşama | ipucu kural neden ders hata yol fikir püf soru gerçek bölüm madde öneri",
        openings: "giriş|önsöz|genel bakış|arka plan|sorun",
        closings: "sonuç|özet|kısacası|son söz|özetle|son olarak",
        apparatus: "kaynaklar|kaynakça|notlar|dipnotlar|yazar hakkında|yorumlar|içindekiler",
        abbreviations: "dr prof doç av bkz vb vs örn s no tel sn mah cad sok",
        of_many: "",
        units: "% yüzde saat dakika saniye gün hafta ay yıl kişi kullanıcı müşteri üye şirket çalışan okur hane aile öğrenci kez \
            kat kere kilo kg gram g km kilometre metre m santim cm litre l derece puan lira tl euro kuruş ağaç kitap sayfa ton \
            ev sokak poşet kova",
        powers: "bin=3 milyon=6 mn=6 milyar=9 trilyon=12",
    },
    Words {
        code: "ar",
        function: "في من إلى على عن مع هذا هذه ذلك تلك هؤلاء التي الذي الذين اللذان ما لا لم لن إن أن كان كانت كانوا يكون تكون \
            قد هو هي هم هن أنت أنا نحن أو و ثم بل لكن ولكن حتى إذا إذ لو كل بعض غير بين بعد قبل عند منذ خلال حول ضد دون كما مثل \
            أي أين متى كيف لماذا لأن حيث فقط أيضا أيضًا جدا جدًا هناك هنا به بها له لها فيه فيها منه منها عليه عليها إليه إليها \
            ليس ليست أكثر أقل أحد كلها كله",
        openers: "لكن|ولكن|ومع ذلك|بالإضافة إلى ذلك|لذلك|وهكذا|مثلا|مثلًا|على سبيل المثال|في الواقع|باختصار|أخيرا|أخيرًا|أولا|\
            أولًا|ثانيا|ثانيًا|ثم|بالطبع|من ناحية أخرى|في النهاية|كذلك",
        pointing: "هو هي هم هن هذا هذه ذلك تلك هؤلاء أولئك كلاهما كلتاهما هناك هنا",
        negation: "لا لم لن ليس ليست ليسوا ما غير دون بدون أبدا أبدًا إلا سوى فقط فلا ولا",
        conditions: "إذا|إن|لو|إلا|سوى|باستثناء|عدا|ما لم|شرط|بشرط|طالما|حتى|فقط|عندما|حين|حيث|قبل|بعد|لكن|ولكن|بل|\
            رغم|وإلا|على الأقل|على الأكثر|في حال|بدلا|بدلاً",
        limits: "أقل|أكثر|تحت|فوق|حتى|لغاية|على الأقل|على الأكثر|الحد الأدنى|الحد الأقصى|ابتداء|ابتداءً|بين|دون",
        before_figure: "بنسبة",
        trailing: "لأن حيث مما لكن ولكن خاصة خصوصا خصوصًا بينما كما بما",
        according: "وفقا ل|وفقًا ل|بحسب|حسب",
        saying: "قال قالت يقول تقول أوضح أوضحت أضاف أضافت كتب كتبت ذكر ذكرت أكد أكدت يتذكر صرح صرحت",
        calls: "حمل|حمّل|اقرأ|جرب|جرّب|ابدأ|انضم|سجل|سجّل|زر|احجز|تابع|اشترك|شارك|احفظ|اكتب|اطلب|اكتشف|تعال|اسأل|خذ|اتصل|تواصل|\
            أرسل|شاهد|تعرف|تعرّف|اختر|اضغط",
        numbered: "خطوة الخطوة مرحلة المرحلة | نصيحة قاعدة سبب درس خطأ طريقة فكرة خرافة مبدأ سؤال حقيقة جزء نقطة عادة النصيحة القاعدة \
            السبب الدرس العادة",
        openings: "مقدمة|المقدمة|نظرة عامة|خلفية|المشكلة|تمهيد",
        closings: "خاتمة|الخاتمة|خلاصة|الخلاصة|ملخص|باختصار|في الختام",
        apparatus: "المصادر|المراجع|مراجع|ملاحظات|الهوامش|عن الكاتب|عن الكاتبة|التعليقات|المحتويات|الفهرس",
        abbreviations: "د م أ ص هـ إلخ",
        of_many: "من",
        units: "% ٪ ساعة ساعات دقيقة دقائق ثانية ثوان يوم أيام يومًا أسبوع أسابيع شهر أشهر شهرًا سنة سنوات عام أعوام عامًا شخص \
            أشخاص شخصًا عميل عملاء مستخدم مستخدمين عضو أعضاء شركة شركات عائلة عائلات طالب طلاب مرة مرات كيلو كيلوغرام غرام كم \
            كيلومتر متر أمتار لتر لترات درجة درجات ريال ريالًا درهم دينار جنيه دولار يورو كتاب كتب صفحة شجرة أشجار طن أطنان \
            فريق فريقًا فرق أسطر",
        powers: "ألف=3 آلاف=3 ألفًا=3 مليون=6 ملايين=6 مليونًا=6 مليار=9 مليارات=9",
    },
    Words {
        code: "hi",
        function: "और या पर में से को का की के ने है हैं था थी थे हो होता होती होते हुआ हुई हुए कर करना करने करते करता करती किया की किए \
            एक यह वह ये वे इस उस इन उन इसे उसे इसका उसका इसकी उसकी इसके उसके जो जिस जिसे कि तो भी ही नहीं न मत अब तब जब कब कहाँ \
            यहाँ वहाँ क्या क्यों कैसे कौन कितना कितने लिए साथ बाद पहले तक बहुत सब सभी कुछ कोई हर अपना अपनी अपने मैं हम तुम आप मुझे \
            हमें तुम्हें आपको मेरा मेरी हमारा हमारी आपका आपकी गया गई गए रहा रही रहे सकता सकती सकते चाहिए फिर लेकिन मगर अगर यदि",
        openers: "लेकिन|मगर|और|इसलिए|इसके अलावा|उदाहरण के लिए|जैसे|वास्तव में|संक्षेप में|अंत में|पहले|फिर|दूसरी ओर|बेशक|यानी",
        pointing: "वह वे यह ये उस उसे उसका उसकी उसके इस इसे इसका इसकी इसके उन उन्हें उनका उनकी उनके इन इन्हें दोनों वहाँ यहाँ ऐसा ऐसे ऐसी",
        negation: "नहीं न मत कभी कोई बिना सिर्फ़ सिर्फ केवल सिवा",
        conditions: "अगर|यदि|जब|तो|सिवाय|सिवा|छोड़कर|बशर्ते|तक|केवल|सिर्फ|सिर्फ़|लेकिन|मगर|परंतु|किंतु|हालाँकि|\
            हालांकि|बावजूद|वरना|अन्यथा|कम से कम|ज़्यादा से ज़्यादा|पहले|बाद|बजाय|जहाँ",
        limits: "से कम|से अधिक|से ज़्यादा|से ज्यादा|तक|कम से कम|अधिकतम|न्यूनतम|नीचे|ऊपर|बीच",
        before_figure: "",
        trailing: "क्योंकि जो जिससे जबकि हालाँकि हालांकि लेकिन खासकर ताकि",
        according: "के अनुसार|के मुताबिक",
        saying: "कहते कहती कहा बताते बताती बताया बोले बोलीं लिखा लिखते लिखती जोड़ा",
        calls: "डाउनलोड करें|पढ़ें|आज़माएँ|शुरू करें|जुड़ें|पंजीकरण करें|साइन अप करें|आएँ|बुक करें|फ़ॉलो करें|सदस्यता लें|साझा करें|\
            सहेजें|लिखें|ऑर्डर करें|जानें|पूछें|लें|खोजें|संपर्क करें|कॉल करें|भेजें|देखें|खरीदें|आज़माइए|लिखिए|भेजिए|पढ़िए|देखिए|आइए|\
            बताइए|कीजिए|लीजिए|दीजिए|रखिए",
        numbered: "चरण कदम | सुझाव नियम कारण सबक गलती तरीका विचार मिथक सिद्धांत सवाल प्रश्न तथ्य भाग बिंदु आदत",
        openings: "परिचय|भूमिका|प्रस्तावना|पृष्ठभूमि|समस्या",
        closings: "निष्कर्ष|सारांश|संक्षेप में|अंत में|उपसंहार",
        apparatus: "स्रोत|संदर्भ|टिप्पणियाँ|ग्रंथसूची|लेखक के बारे में|विषय सूची",
        abbreviations: "डॉ श्री प्रो रु",
        of_many: "में",
        units: "% प्रतिशत फ़ीसदी फीसदी घंटे घंटा मिनट सेकंड दिन हफ़्ते हफ्ते सप्ताह महीने महीना साल वर्ष लोग लोगों परिवार परिवारों ग्राहक \
            सदस्य कंपनियाँ छात्र बार गुना किलो किलोग्राम ग्राम किमी किलोमीटर मीटर लीटर डिग्री अंक रुपये रुपए रुपया डॉलर यूरो पेड़ पौधे \
            किताबें पन्ने टन छतें छतों",
        powers: "सौ=2 हज़ार=3 हजार=3 लाख=5 करोड़=7 अरब=9 खरब=11",
    },
    Words {
        code: "ja",
        function: "の に は を た が で て と し れ さ ある いる も する から な こと として い や れる など なっ ない この ため その あっ よう また もの \
            という あり まで られ なる へ か だ これ によって により おり より による ず なり られる において ば なかっ なく しかし について せ だっ \
            その後 できる それ う ので なお のみ でき き つ における および いう さらに でも ら たり その他 に関する たち ます ん なら に対して です ね \
            よ ました ません でし ください それでも",
        openers: "しかし|そして|また|さらに|だから|つまり|例えば|たとえば|もちろん|ただし|なお|まず|次に|最後に|一方|ところが|それでも|実は|要するに",
        pointing: "これ それ あれ この その あの ここ そこ あそこ 彼 彼女 彼ら こう そう 両方",
        negation: "ない なく なかっ ず ません ぬ 決して だけ しか 以外",
        conditions: "場合|なら|れば|たら|限り|ただし|以外|除|まで|のみ|だけ|しか|とき|時|が、|けれど|のに|しかし|前に|後に|条件|少なくとも|最大|代わり",
        limits: "未満|以下|以上|超|まで|から|最低|最高|最大|最小|以内|少なくとも",
        before_figure: "",
        trailing: "",
        according: "によると|によれば",
        saying: "言う 言った 話す 話した 語る 語った 述べる 述べた 説明する 説明した と言う と言います と話します と話す と語る 振り返る",
        calls: "ください|下さい|ましょう|ご覧ください|お試しください|お申し込みください|ご予約ください|お問い合わせください|登録|予約は|\
            お申し込みは|詳しくは|ダウンロード|フォロー",
        numbered: "手順 ステップ 第 | その コツ ルール 理由 教訓 間違い 方法 習慣 アイデア 神話 原則 質問 事実 ポイント",
        openings: "はじめに|序論|概要|背景|まえがき|問題",
        closings: "おわりに|終わりに|まとめ|結論|要約|最後に",
        apparatus: "出典|参考文献|注|脚注|著者について|コメント|目次|関連記事",
        abbreviations: "",
        of_many: "",
        units: "% ％ パーセント 時間 分 秒 日 週間 か月 ヶ月 カ月 年 人 名 社 世帯 回 倍 個 本 枚 冊 件 軒 隻 匹 台 校 歳 円 ドル ユーロ キロ \
            キログラム グラム kg g km キロメートル メートル センチ cm m リットル 度 点 ポイント トン 海里 割 ページ 家族",
        powers: "千=3 万=4 百万=6 千万=7 億=8 兆=12",
    },
    Words {
        code: "zh",
        function: "的 了 在 是 我 有 和 就 不 人 都 一 一个 上 也 很 到 说 要 去 你 会 着 没有 看 好 自己 这 那 他 她 它 们 我们 你们 他们 \
            她们 它们 与 及 或 但 而 因为 所以 如果 虽然 但是 以及 对 从 被 把 给 让 向 于 之 其 这个 那个 这些 那些 什么 怎么 为什么 哪 谁 \
            还 再 又 才 只 更 最 已 已经 可以 能 可能 应该 必须 没 吗 呢 吧 啊 得 地 过 等 中 下 里 个",
        openers: "但是|但|而且|此外|另外|因此|所以|例如|比如|事实上|当然|总之|换句话说|最后|首先|其次|然后|不过|然而|另一方面|同时",
        pointing: "他 她 它 他们 她们 它们 这 那 这个 那个 这些 那些 这里 那里 其 此 两者 这样 那样",
        negation: "不 没 没有 无 非 别 未 从不 只 除了 毫无",
        conditions: "如果|若|假如|除非|除|只要|只有|仅|直到|当|时|但|却|然而|虽|尽管|否则|之前|之后|前提|条件|至少|至多|最多|而不是|如",
        limits: "以下|以上|低于|高于|超过|不足|至少|至多|最多|最少|最低|最高|以内|未满|起|从|之间",
        before_figure: "",
        trailing: "",
        according: "根据|据",
        saying: "说 表示 指出 认为 写道 补充 回忆 解释 告诉 介绍 提醒 称 问 答 笑道",
        calls: "请|点击|下载|立即|马上|现在就|扫码|扫描|关注|订阅|分享|收藏|报名|预订|预约|联系|访问|加入|试试|购买|注册|欢迎|来",
        numbered: "步骤 第 步 | 建议 规则 原因 教训 错误 方法 习惯 想法 误区 原则 问题 事实 要点 技巧",
        openings: "引言|前言|简介|概述|背景|导言|问题",
        closings: "结语|总结|小结|结论|摘要|最后|写在最后",
        apparatus: "参考资料|参考文献|来源|注释|脚注|关于作者|作者简介|评论|目录|相关文章",
        abbreviations: "",
        of_many: "",
        units: "% ％ 小时 分钟 秒 天 日 周 星期 个月 月 年 人 名 位 家 户 次 倍 个 本 张 册 件 只 条 台 所 岁 元 块 美元 欧元 公斤 千克 克 斤 \
            公里 千米 米 厘米 升 度 分 点 吨 分贝 页 个百分点 百分点 种 条 棵 层",
        powers: "千=3 万=4 百万=6 千万=7 亿=8 万亿=12 兆=12",
    },
];
