/**
 * Rules for names of accounts, so that none is mistaken for another account or for the program itself. Pure.
 */
import { skeleton } from '#lib/text/confusables.ts';
import { AppError, isAppError } from '../../platform/errors/appError.ts';
import { COMMAND_LINE } from '../../platform/audit-trail/entry.ts';

/** Names that pages and the audit log use for actors that are not members. */
const ACTORS = ['visitor', 'engine', 'configuration', COMMAND_LINE, 'gateway', 'anonymous'];
/** Names that read like an office instead of a person. */
const TITLES = ['admin', 'administrator', 'system', 'komodeck'];

/**
 * Scripts in modern use, and those that are combined in writing (Unicode Technical Standard 39, section 5.1).
 */
const WRITTEN_TOGETHER: readonly RegExp[] = [
	...['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Georgian', 'Hebrew', 'Arabic', 'Devanagari'],
	...['Bengali', 'Gurmukhi', 'Gujarati', 'Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala'],
	...['Thai', 'Lao', 'Khmer', 'Myanmar', 'Ethiopic']
]
	.map((script) => new RegExp(`^\\p{scx=${script}}*$`, 'u'))
	.concat(/^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]*$/u, /^[\p{scx=Han}\p{scx=Hangul}]*$/u);

/** Latin letters that do not decompose into a plain letter with marks, and what they look like. */
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

/** The key by which different spellings of one name are the same account. */
export function nameKeyOf(name: string): string {
	return name.normalize('NFKC').trim().toLowerCase();
}

/** What a name looks like, by the confusables table that is also used for labels. */
export function skeletonOf(name: string): string {
	const plain = [...nameKeyOf(name)].map((sign) => LATIN_LOOKS[sign] ?? sign).join('');
	return skeleton(plain.replaceAll(/[@+]/g, ''));
}

const ACTOR_LOOKS = new Set(ACTORS.map(skeletonOf));
const TITLE_LOOKS = new Set(TITLES.map(skeletonOf));

/**
 * Whether a name has small capitals or phonetic letters, which pass for ordinary ones and which no language
 * needs in a name.
 */
function hasOddLatin(name: string): boolean {
	return [...name.normalize('NFKD').toLowerCase()].some(
		(sign) => /\p{sc=Latin}/u.test(sign) && !/[a-z]/.test(sign) && !(sign in LATIN_LOOKS)
	);
}

/**
 * Returns the normalised name, or refuses it. A name is shown in audit events and sent in Basic credentials:
 * it must be one word without a colon, in one script.
 * @param options.titles allows names like `admin`, for the first account in the server's configuration, which
 * many scripts call so: that account is an admin, and only the person who configures the server chooses the
 * name
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

/** Whether an account may have this name. */
export function isName(name: string): boolean {
	try {
		checkName(name);
		return true;
	} catch (error) {
		if (isAppError(error, 'account.name-invalid')) return false;
		throw error;
	}
}
