/** What forms do with input that they must not follow. */
import { expect, test } from './support/console.ts';

test('the choice of a theme leads back to a page of this server and nowhere else', async ({
	request,
	console
}) => {
	const choose = async (to: string) => {
		const answer = await request.post('/theme', {
			headers: { origin: console.url },
			form: { theme: 'dark', to },
			maxRedirects: 0
		});
		expect(answer.status(), to).toBe(303);
		return answer.headers()['location'];
	};
	expect(await choose('/ALPHA/tokens?q=berth')).toBe('/ALPHA/tokens?q=berth');
	for (const to of ['/\t/evil.example', '/\n/evil.example', '//evil.example', '/\\evil.example']) {
		expect(await choose(to), JSON.stringify(to)).toBe('/');
	}
});
