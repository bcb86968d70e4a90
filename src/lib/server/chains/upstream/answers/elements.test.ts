import { describe, expect, it } from 'vitest';
import { batchAnswers } from './elements.ts';

const cut = (text: string): unknown => {
	const bytes = Buffer.from(text);
	const found = batchAnswers(bytes);
	return found && found.map(({ start, end, id }) => [bytes.toString('utf8', start, end), id]);
};

describe('the answers of a batch', () => {
	it('are found with their ids, whatever stands in them', () => {
		expect(cut('[]')).toEqual([]);
		expect(cut(' [ ] \n')).toEqual([]);
		const odd = '{ "result":{"id":7,"a":"]},{\\"id\\":8"} , "id" : "ü\\"" }';
		expect(cut(`[${odd} , {"error":null,"id":-1.50e2},{"result":[[1],[]]}, 7 ,"[,"]\n`)).toEqual([
			[odd, '"ü\\""'],
			['{"error":null,"id":-1.50e2}', '-1.50e2'],
			['{"result":[[1],[]]}', null],
			['7', null],
			['"[,"', null]
		]);
	});

	it.each(['', '{}', '[', '[1', '[1,]', '[,1]', '["a]', '[{]', '[1]]', '[1] 2', '7', '"[]"'])(
		'are none in %s',
		(text) => {
			expect(cut(text)).toBeNull();
		}
	);
});
