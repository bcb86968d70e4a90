/** A code that cameras read, as the path of one shape in a picture. */

/** What is used of the library that computes the code. */
type Library = (
	version: 0,
	correction: 'M'
) => {
	addData(text: string): void;
	make(): void;
	getModuleCount(): number;
	isDark(row: number, column: number): boolean;
};

/** Empty modules around the code, without which cameras do not find it (ISO 18004). */
const QUIET = 4;

/** @returns null for a text that is too long for one code; `size` is that of the view box */
export function qrPath(library: Library, text: string): { path: string; size: number } | null {
	const code = library(0, 'M');
	code.addData(text);
	try {
		code.make();
	} catch {
		return null;
	}
	const modules = code.getModuleCount();
	let path = '';
	for (let row = 0; row < modules; row++) {
		for (let column = 0; column < modules; column++) {
			if (code.isDark(row, column)) path += `M${column + QUIET} ${row + QUIET}h1v1h-1z`;
		}
	}
	return { path, size: modules + 2 * QUIET };
}
