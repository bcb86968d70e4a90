import { describe, expect, test } from 'vitest';
import { checkName, skeletonOf } from './names.ts';

const refusal = (name: string, titles = false): string => {
	try {
		checkName(name, { titles });
		return 'taken';
	} catch (error) {
		return (error as Error).message;
	}
};

describe('names of the program itself', () => {
	test.for(
		[
			...[
				'engine',
				'Engine',
				'ENGINE',
				'eng1ne',
				'englne',
				'еngine',
				'éngine',
				'en-gine',
				'engine.'
			],
			...[
				'ｅｎｇｉｎｅ',
				'engine@',
				'e+ngine',
				'visitor',
				'v1sitor',
				'vіsitor',
				'vvisitor'.slice(1)
			],
			...[
				'commandline',
				'command-line',
				'command.line',
				'cornmandline',
				'configuration',
				'c0nfiguration'
			]
		].map((name) => [name])
	)('%s is nobody’s', ([name = '']) => {
		for (const titles of [true, false])
			expect(refusal(name, titles)).toContain('stands for the console');
	});

	test.for([
		'admin',
		'Admin',
		'adm1n',
		'аdmin',
		'ａdmin',
		'Ádmin',
		'ad.min',
		'system',
		'Administrator',
		'komodeck',
		'k0m0deck'
	])('%s is for whoever configures the server', (name) => {
		expect(refusal(name)).toContain('reads like an office');
	});

	test('the first account of the configuration may be called admin', () => {
		expect(checkName('admin', { titles: true })).toBe('admin');
	});
});

test.for([
	'аda',
	'adа',
	'ада-smith',
	'ωmega',
	'Аda',
	'ada漢',
	'ᴀda',
	'ɑda',
	'adaԁ',
	'ᎪᎠᎪ',
	'٣ada',
	'ada٣',
	'ꓮꓓꓮ'
])('%s mixes alphabets or is of none that is in use', (name) => {
	expect(refusal(name)).toMatch(/one alphabet|letters, digits/);
});

test.for(['a\u200bda', 'ada\u202e', 'a\u00adda', 'a da', 'a:da', '‮ada'])(
	'%j hides something',
	(name) => {
		expect(refusal(name)).toMatch(/letters, digits/);
	}
);

test.for([
	'ada',
	'Ada.Lovelace',
	'ops+1',
	'a@b.org',
	'Müller',
	'Łukasz',
	'Søren',
	'Ådne',
	'Đorđe',
	'Ольга',
	'Νίκος',
	'משה',
	'محمد',
	'山田太郎',
	'たなか',
	'カタカナ',
	'김철수',
	'7of9',
	'अनिल'
])('%s is a name', (name) => {
	expect(refusal(name)).toBe('taken');
});

test('names that can be taken for each other have one skeleton', () => {
	for (const other of ['Ada', 'аdа', 'a-da', 'áda', 'AD.A', 'a+da']) {
		expect(skeletonOf(other)).toBe(skeletonOf('ada'));
	}
	expect(skeletonOf('Søren')).toBe(skeletonOf('soren'));
	expect(skeletonOf('Ian')).toBe(skeletonOf('lan'));
	expect(skeletonOf('bob')).not.toBe(skeletonOf('ada'));
});
