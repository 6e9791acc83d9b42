/** Releases are called as SemVer calls them, without what may follow the three numbers. */
export const VERSION = /^\d+\.\d+\.\d+$/;

/**
 * What the changelog says about a version, without its heading (`## 1.2.0` or `## 1.2.0 (2026-11-28)`). Throws when it says nothing:
 * what nobody described is not released.
 */
export function sectionOf(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m).slice(1);
  const titles = sections.map((text) => text.split(/[\s(]/, 1)[0]);
  const body = sections[titles.indexOf(version)]?.split('\n').slice(1).join('\n').trim() ?? '';
  if (body === '') {
    throw new Error(
      `CHANGELOG.md has no section "## ${version}" with something in it: move what is released there from "## Unreleased".`,
    );
  }
  return body;
}
