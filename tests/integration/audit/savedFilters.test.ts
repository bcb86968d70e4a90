import { beforeAll, expect, test } from 'vitest';
import { createSavedFilters, MOST_FILTERS } from '#lib/server/access/saved-filters/savedFilters.ts';
import type { Auth } from '#lib/server/access/requests/auth.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { addPerson, authOver } from '../../support/members.ts';

describeOnBothDatabases('saved filters', (database) => {
	let auth: Auth;
	beforeAll(async () => {
		auth = await authOver(database);
	});

	test('a member keeps no more of them than there may be, also where many are saved at once', async () => {
		const { id } = await addPerson(database, 'admin');
		const savers = [database.db, await database.openAnother()].map((db) =>
			createSavedFilters(db, auth.audit)
		);
		const save = (n: number) =>
			savers[n % 2]!.save(id, 'audit', {
				name: `filter ${n}`,
				parameters: new URLSearchParams({ actor: `a${n}` }),
				known: ['actor']
			});
		const faults = await Promise.all(Array.from({ length: 3 * MOST_FILTERS }, (_, n) => save(n)));
		expect(faults.filter((fault) => fault === null)).toHaveLength(MOST_FILTERS);
		expect(new Set(faults)).toEqual(new Set([null, 'too-many']));
		const kept = await savers[0]!.of(id, 'audit');
		expect(kept).toHaveLength(MOST_FILTERS);
		// An existing one is replaced.
		const [first] = kept;
		expect(await save(Number(first!.name.slice('filter '.length)))).toBe(null);
	});
});
