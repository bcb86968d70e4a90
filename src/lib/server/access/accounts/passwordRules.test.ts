import { describe, expect, test } from 'vitest';
import { easyToGuess } from './passwordRules.ts';

describe('easy to guess', () => {
	test.for([
		'passwordpassword',
		'password1234',
		'password8471',
		'Password2024!',
		'P@ssw0rd2024!',
		'p4$$w0rd!!!!',
		'Summer2024!!',
		'qwertyuiop12',
		'qwertyuiop[]',
		'1qaz2wsx3edc',
		'1qaz2wsx3edc4rfv',
		'q1w2e3r4t5y6',
		'zaq12wsxcde3',
		'abcdefghijkl',
		'lkjihgfedcba',
		'abcabcabcabc1',
		'123456789012',
		'210987654321',
		'121212121212',
		'aaaaaaaaaaaa',
		'AAAAAAbbbbbb',
		'            ',
		'iloveyou1234567',
		'adminpassword1',
		'letmein-letmein',
		'dragondragon99',
		'йцукенгшщзхъ',
		'абвгдежзийкл',
		'administrator',
		'!!!!password!!!!'
	])('%s', (password) => {
		expect(easyToGuess(password, 'ada')).toBe('common');
	});

	test.for([
		['lovelace-2024', 'lovelace'],
		['Lovelace12345', 'lovelace'],
		['l0velace!2024', 'lovelace'],
		['ecalevol12345', 'lovelace'],
		['lovelacelovelace', 'lovelace'],
		['ada.lovelace99', 'ada.lovelace'],
		['adaadaada123', 'ada'],
		['komodeck2024', 'ada'],
		['K0m0deck!!!!', 'ada'],
		['komodokomodeck', 'ada'],
		['komodo-komodeck1', 'ada'],
		['lovelacekomodeck', 'lovelace']
	] as const)('%s for %s', ([password, name]) => {
		expect(easyToGuess(password, name)).toBe('name');
	});
});

test.for([
	'correct horse battery staple',
	'the quick analytical engine',
	'a password for the team',
	'a long enough password',
	'figures are measured here',
	'vT7#qLw2!xZp',
	'kQ83hfLzPw0s',
	'83920174650193',
	'Fahrrad-Kette-Mond',
	'длинная фраза из слов'
])('%s is taken', (password) => {
	expect(easyToGuess(password, 'ada')).toBeNull();
});

test('the longest password is judged at once, whatever name the form sends', () => {
	const judge = (): void => {
		for (const piece of ['a', 'abcabd', 'aZ9$kq']) {
			const password = piece.repeat(256).slice(0, 256);
			for (const name of ['ada', 'ab'.repeat(32), 'ab'.repeat(1_000)]) easyToGuess(password, name);
		}
	};
	judge();
	const before = process.threadCpuUsage();
	judge();
	expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(150);
});
