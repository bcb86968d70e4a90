/** What an account may be called, so that nobody passes for another or for the program itself. Pure. */
import { skeleton } from '#lib/text/confusables.ts';
import { AppError, isAppError } from '../../platform/errors/appError.ts';

/** What pages and the audit log call those who are no person. */
const ACTORS = ['visitor', 'engine', 'configuration', 'command line', 'gateway', 'anonymous'];
/** What people take for an office and not for a person. */
const TITLES = ['admin', 'administrator', 'system', 'komodeck'];

/** Scripts of living languages that are written together (Unicode Technical Standard 39, section 5.1). */
const WRITTEN_TOGETHER: readonly RegExp[] = [
	...['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Georgian', 'Hebrew', 'Arabic', 'Devanagari'],
	...['Bengali', 'Gurmukhi', 'Gujarati', 'Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala'],
	...['Thai', 'Lao', 'Khmer', 'Myanmar', 'Ethiopic']
]
	.map((script) => new RegExp(`^\\p{scx=${script}}*$`, 'u'))
	.concat(/^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]*$/u, /^[\p{scx=Han}\p{scx=Hangul}]*$/u);

/** Latin letters that are not a plain one with marks, and what they look like. */
const LATIN_LOOKS: Readonly<Record<string, string>> = {
	ß: 'ss',
	æ: 'ae',
	œ: 'oe',
	ø: 'o',
	đ: 'd',
	ð: 'd',
	þ: 'p',
	ł: 'l',
	ħ: 'h',
	ı: 'i',
	ŧ: 't',
	ŋ: 'n',
	ə: 'e'
};

/** Two spellings of one name are one account. */
export function nameKeyOf(name: string): string {
	return name.normalize('NFKC').trim().toLowerCase();
}

/** What a name looks like, by the table that labels are held against as well. */
export function skeletonOf(name: string): string {
	const plain = [...nameKeyOf(name)].map((sign) => LATIN_LOOKS[sign] ?? sign).join('');
	return skeleton(plain.replaceAll(/[@+]/g, ''));
}

const ACTOR_LOOKS = new Set(ACTORS.map(skeletonOf));
const TITLE_LOOKS = new Set(TITLES.map(skeletonOf));

/** Small capitals and phonetic signs pass for letters, and no language needs them in a name. */
function hasOddLatin(name: string): boolean {
	return [...name.normalize('NFKD').toLowerCase()].some(
		(sign) => /\p{sc=Latin}/u.test(sign) && !/[a-z]/.test(sign) && !(sign in LATIN_LOOKS)
	);
}

/**
 * A name is what audit rows and Basic credentials show: one word without a colon, of one script.
 *
 * @param options.titles whoever configures the server may call the first account `admin`, as many scripts
 *   that start one do: that account is one, and nobody else chooses the name
 * @throws {AppError} `account.name-invalid`
 */
export function checkName(name: string, options: { titles: boolean } = { titles: false }): string {
	const clean = name.normalize('NFKC').trim();
	const skeleton = skeletonOf(clean);
	if (ACTOR_LOOKS.has(skeleton)) {
		throw new AppError('account.name-invalid', { reason: 'actor' });
	}
	if (TITLE_LOOKS.has(skeleton) && !options.titles) {
		throw new AppError('account.name-invalid', { reason: 'title' });
	}
	if (!/^[\p{L}0-9][\p{L}\p{M}0-9._@+-]{0,63}$/u.test(clean) || skeleton === '') {
		throw new AppError('account.name-invalid', { reason: 'characters' });
	}
	const letters = clean.replace(/[^\p{L}]/gu, '');
	if (!WRITTEN_TOGETHER.some((script) => script.test(letters)) || hasOddLatin(clean)) {
		throw new AppError('account.name-invalid', { reason: 'scripts' });
	}
	return clean;
}

/** Whether somebody may be called so. */
export function isName(name: string): boolean {
	try {
		checkName(name);
		return true;
	} catch (error) {
		if (isAppError(error, 'account.name-invalid')) return false;
		throw error;
	}
}
