import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { tokenCrumb, trailOf } from './trail.ts';

it('leads from the first level down to the page, with what the address names', () => {
	const params = { chain: 'AL/PHA', tokenid: 'ab' };
	expect(trailOf('/chains/[chain]/token/[tokenid]/burn', params)).toEqual([
		{ label: 'AL/PHA', href: '/chains/AL%2FPHA', of: 'chain' },
		{ label: 'Tokens', href: '/chains/AL%2FPHA/tokens' },
		{ label: 'Token', href: '/chains/AL%2FPHA/token/ab', of: 'tokenid' },
		{ label: 'Burn', href: '/chains/AL%2FPHA/token/ab/burn' }
	]);
});

it('has the name of a token where it is known, with what it hides', () => {
	expect(tokenCrumb('Gold bar 2026')).toEqual({ tokenid: 'Gold bar 2026' });
	expect(tokenCrumb('Gold\u202ebar')).toEqual({ tokenid: 'Gold‹U+202E›bar' });
	expect([tokenCrumb(undefined), tokenCrumb(' ')]).toEqual([{}, {}]);
});

it('is empty on the first level, and where there is no page', () => {
	for (const route of ['/', '/transfers', '/chains/[chain]', '/admin/audit', null]) {
		expect(trailOf(route, { chain: 'ALPHA' })).toEqual([]);
	}
});

it('is there for every page below the first level', () => {
	const routes = readdirSync(resolve(import.meta.dirname, '../../../routes'), { recursive: true })
		.map((file) => `/${String(file).replaceAll('\\', '/')}`)
		.filter((file) => file.endsWith('/+page.svelte'))
		.map((file) => file.slice(0, -'/+page.svelte'.length));
	const deep = routes.filter(
		(route) => route.replace(/^\/(?:chains|admin)\b/, '').split('/').length > 2
	);
	expect(deep.length).toBeGreaterThan(40);
	expect(deep.filter((route) => trailOf(route, {}).length === 0)).toEqual([]);
});

it('consists of pages that there are', () => {
	const crumbs = trailOf('/notary-approvals/[txid]/approve', { txid: 'cd' });
	expect(crumbs.map(({ href }) => href)).toEqual([
		'/notary-approvals',
		'/notary-approvals/cd',
		'/notary-approvals/cd/approve'
	]);
});
