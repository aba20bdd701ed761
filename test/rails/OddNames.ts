/** Names as nobody expects them, of which each has to fit into a file or be refused with the field named. */

const european = [
  ...[
    "Zoë Lindqvist",
    "Łukasz Żółć",
    "Søren Ærøskøbing",
    "Þórður Ásgeirsson",
    "Siân ap Rhŷs",
    "Ñuño Peña",
  ],
  ...[
    "François L’Œuvre",
    "Jürgen Groß",
    "Großmann-Weiß",
    "Đorđe Šaćić",
    "Ağrı İpek Şahin",
    "Ģirts Ķēniņš",
  ],
  ...[
    "Ęžuolas Ūsas",
    "Ștefan Țepeș",
    "Ştefan Ţepeş",
    "Ħamrun Żebbuġ",
    "Ŋgugi",
    "Ølga Åberg",
    "Õnne Ülo",
    "Ĝi Ĥo Ŝi",
  ],
  ...[
    "Nguyễn Thị Ánh",
    "Ọlábísí Ọ́lá",
    "Γιώργος Παπαδόπουλος",
    "Ὀδυσσεύς",
    "Щукин Юрий",
    "Ђорђе Љубић",
  ],
  ...[
    "Їжак Ґонта",
    "Ѓорѓи Ќосев",
    "d'Artagnan",
    "O‘Neil",
    "Smith & Sons",
    "A/S Bøg",
    "Æ",
    "ß",
    "ﬁne ﬂow",
    "Ｗｉｄｅ",
  ],
]

const elsewhere = [
  ...[
    "山田太郎",
    "김민준",
    "王小明",
    "محمد علي",
    "עדה לאבלייס",
    "अदा",
    "สมชาย",
    "ნინო",
    "Արմեն",
    "አበበ",
    "தமிழ்",
  ],
  ...["𝐀𝐝𝐚 𝕃", "ℒove", "Ⅷ Henry", "①②", "½ Price", "™ Inc", "№ 5", "㎏", "ﷺ", "Ꮳherokee", "𓀀"],
]

const pictures = [
  ...[
    "🎉",
    "Ada 🎉",
    "👩‍👩‍👧",
    "🏳️‍🌈",
    "🇩🇪",
    "1️⃣",
    "❤️",
    "☺",
    "♥",
    "★ Star ★",
    "→",
    "✓",
    "©",
    "®",
    "°C",
    "•",
  ],
]

const controls = Array.from(
  { length: 33 },
  (_, code) => `Ada${String.fromCharCode(code === 32 ? 127 : code)}Love`,
)

const invisible = [
  ...[
    "\u0085",
    "\u00a0",
    "\u00ad",
    "\u061c",
    "\u180e",
    "\u2000",
    "\u200b",
    "\u200c",
    "\u200d",
    "\u200e",
    "\u200f",
  ],
  ...[
    "\u2028",
    "\u2029",
    "\u202a",
    "\u202b",
    "\u202c",
    "\u202d",
    "\u202e",
    "\u2060",
    "\u2066",
    "\u2067",
    "\u2068",
  ],
  ...[
    "\u2069",
    "\u3000",
    "\ufeff",
    "\ufffd",
    "\uffff",
    "\ud800",
    "\udc00",
    "\u{e0001}",
    "\u{10ffff}",
    "\ue000",
  ],
].map((character) => `Ada${character}Love`)

const markup = [
  ...[
    "]]>",
    "<![CDATA[Ada]]>",
    "</Nm><Nm>Eve",
    "<Nm/>",
    "&amp;",
    "&#0;",
    "&#x41;",
    "&lol;",
    "<!-- Ada -->",
  ],
  ...[
    "<?xml version='1.0'?>",
    "<!DOCTYPE a>",
    "<script>alert(1)</script>",
    '"quoted"',
    "'quoted'",
    "a & b < c > d",
  ],
]

const formulas = [
  ...[
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    '=HYPERLINK("http://example.com")',
    "\t=1",
    "=cmd|' /C calc'!A0",
    "%0A=1",
  ],
]

const separators = [
  ...[
    "a,b",
    "a;b",
    "a|b",
    "a\\b",
    "a*b",
    "a~b",
    "a^b",
    "a`b",
    "a_b",
    "a#b",
    "a$b",
    "a%b",
    "a{b}",
    "a[b]",
    "a!b",
  ],
  ...[
    "/Ada",
    "Ada/",
    "a//b",
    "a:b",
    "a?b",
    "(a)",
    "a+b",
    "'",
    ".",
    "-",
    "--",
    "a  b",
    " a ",
    "NOTPROVIDED",
    "null",
  ],
  ...["undefined", "0", "true", "[object Object]", "constructor", "__proto__"],
]

const lengths = [
  ...[0, 1, 15, 16, 17, 21, 22, 23, 34, 35, 36, 69, 70, 71, 140, 141, 1_000, 100_000].map(
    (length) => "A".repeat(length),
  ),
  ...[
    "ß".repeat(35),
    "ß".repeat(36),
    "🎉".repeat(70),
    "a\u0301".repeat(70),
    `A${"\u0301".repeat(500)}`,
    " ".repeat(70),
  ],
  ...["\u00a0", "…".repeat(24), "Æ".repeat(11), "Æ".repeat(12)],
]

export const oddNames: ReadonlyArray<string> = [
  ...[...european, ...elsewhere, ...pictures, ...controls, ...invisible],
  ...[...markup, ...formulas, ...separators, ...lengths],
]
