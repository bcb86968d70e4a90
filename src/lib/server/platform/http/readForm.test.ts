import { expect, test } from 'vitest';
import { lines, readForm, text, trimmed } from './readForm.ts';

const formOf = (fields: Readonly<Record<string, string | File>>): Request => {
	const body = new FormData();
	for (const [name, value] of Object.entries(fields)) body.append(name, value);
	return new Request('http://localhost/', { method: 'POST', body });
};

test('a form is read by its schema, and nothing else of it', async () => {
	const request = formOf({ name: ' ada ', txid: ' ab\n', message: 'a\r\nb', other: 'x' });
	expect(await readForm(request, { name: text, txid: trimmed, message: lines })).toEqual({
		name: ' ada ',
		txid: 'ab',
		message: 'a\nb'
	});
});

test('what is missing, or is a file in the place of a text, counts as empty', async () => {
	const request = formOf({ name: new File(['ada'], 'name.txt') });
	expect(await readForm(request, { name: text, txid: trimmed })).toEqual({ name: '', txid: '' });
});
