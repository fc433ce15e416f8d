-- schema: worlds
-- Normalizes a text for the search. It decomposes compatibility forms and accented letters, drops the accents and
-- apostrophes, and changes all letters to lower case. Letters without such a form, for example ß and æ, are spelled
-- out. The result does not depend on the database's locale, because the locale differs between servers.
create function search_fold(given text) returns text
  language sql immutable parallel safe
  return replace(replace(replace(translate(
    lower(regexp_replace(normalize(given, nfkd), '[\u0300-\u036f''’`]', '', 'g') collate "C"),
    'ØøŁłĐđıÆŒАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩς',
    'oollddiæœабвгдежзиклмнопрстуфхцчшщъыьэюяαβγδεζηθικλμνξοπρστυφχψωσ'),
    'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe');

-- The words of a normalized text, split at spaces and punctuation. `Hearth & Hinge` and `Hearth and Hinge` are the
-- same name, so an `and` after the first word is dropped, like the sign.
create function search_words(folded text) returns text[]
  language sql immutable parallel safe
  return (
    select words[1:1] || array_remove(words[2:], 'and')
      from (select array_remove(regexp_split_to_array(folded, '[\s\u0021-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u007e\u00a0-\u00bf\u2000-\u206f]+'), '')) as split (words));

-- The trigrams by which the search finds names: each three letters in a row, of every word and of all words joined
-- into one. Two spaces are added before each word. So all trigrams of a word's beginning are trigrams of the word
-- too, and a word with a typing error still shares most of them.
create function search_grams(words text[]) returns text[]
  language sql immutable parallel safe
  return array(
    select distinct substr('  ' || word, n, 3)
      from unnest(words || array_to_string(words, '')) as word
     cross join generate_series(1, char_length(word)) as n
     where word <> '');

-- Module catalog. A company's name as the search compares it.
-- shown_to: which readers find the company; null if only users with their own access to one of its rounds find it.
-- standing: ranks the companies whose names match equally well; the highest comes first. A company that is raising
-- comes before one that is not; after that, the amount raised decides. An increase of two means about twice the
-- amount, so that most investments do not change the rank.
create table company_names (
  company_id text collate "C" not null,
  words text[] not null,
  grams text[] not null,
  shown_to text,
  standing integer not null default 0,
  constraint company_names_pkey primary key (company_id),
  constraint company_names_words_size check (cardinality(words) <= 2000 and octet_length(array_to_string(words, '')) <= 20000),
  constraint company_names_grams_size check (cardinality(grams) <= 20000),
  constraint company_names_shown_to_known check (shown_to in ('public', 'accredited')),
  constraint company_names_standing_range check (standing between 0 and 400),
  constraint company_names_company_fkey foreign key (company_id) references companies (id)
);

-- Module catalog. The trigrams of the names whose shown_to is not null, each with its company. If many names share a
-- trigram, the search reads only some of them. It reads the shortest names, which are closest to the typed text, and
-- the names with the highest standing, which a person more probably means.
-- grams: how many trigrams the name has.
-- A search reads only the shown_to values that the reader may see, so hidden names do not use up its limit. It reads
-- only the indexes, which needs frequent runs of autovacuum.
create table company_grams (
  gram text collate "C" not null,
  shown_to text not null,
  company_id text collate "C" not null,
  grams integer not null,
  standing integer not null,
  constraint company_grams_pkey primary key (gram, shown_to, grams, company_id),
  constraint company_grams_gram_length check (char_length(gram) between 1 and 3),
  constraint company_grams_shown_to_known check (shown_to in ('public', 'accredited')),
  constraint company_grams_company_fkey foreign key (company_id) references companies (id)
) with (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.02);

create index company_grams_standing on company_grams (gram, shown_to, standing desc, company_id);
create index company_grams_company on company_grams (company_id);

do $outside$
begin
  execute format($inside$
    -- PostgreSQL plans each statement of this function and the next one once per connection, because planning takes
    -- longer than running it. A plan made while the tables are empty would later scan whole tables, so sequential
    -- scans are disabled.
    create function index_names(companies text[]) returns void language plpgsql
      set enable_seqscan = off set plan_cache_mode = force_generic_plan as $body$
    begin
      delete from %1$I.company_grams where company_id = any (companies);
      insert into %1$I.company_grams (gram, shown_to, company_id, grams, standing)
      select gram, n.shown_to, n.company_id, cardinality(n.grams), n.standing
        from %1$I.company_names n cross join unnest(n.grams) as gram
       where n.company_id = any (companies) and n.shown_to is not null;
    end $body$;

    -- Locks first and reads in a later statement. Otherwise two concurrent changes of a company's rounds would each
    -- compute the rank without the other change.
    create function place_in_search(companies text[]) returns void language plpgsql
      set enable_seqscan = off set plan_cache_mode = force_generic_plan as $body$
    declare
      moved text[];
    begin
      perform from %1$I.company_names where company_id = any (companies) order by company_id for no key update;
      with placed as (
        update %1$I.company_names n set shown_to = shown.shown_to, standing = shown.standing
          from (
            select company_id, shown_to,
                   (case when raising then 200 else 0 end + floor(2 * ln(1 + raised / 100) / ln(2)))::integer as standing
              from (
                select id as company_id, seen.shown_to, coalesce(bool_or(e.status = 'open'), false) as raising,
                       coalesce(sum(e.raised_cents) filter (where not e.testing_the_waters), 0)::float8 as raised
                  from unnest(companies) as id
                 cross join lateral (
                   select max(shown_to) as shown_to from %1$I.catalog_entries where company_id = id) seen
                  left join %1$I.catalog_entries e on e.company_id = id and e.shown_to = seen.shown_to
                 group by id, seen.shown_to) summed) shown
         where n.company_id = shown.company_id
           and (n.shown_to, n.standing) is distinct from (shown.shown_to, shown.standing)
        returning n.company_id)
      select array_agg(company_id) into moved from placed;
      if moved is not null then
        perform %1$I.index_names(moved);
      end if;
    end $body$;

    create function name_company() returns trigger language plpgsql as $body$
    declare
      name_words text[] := %1$I.search_words(%1$I.search_fold(new.name));
    begin
      insert into %1$I.company_names (company_id, words, grams)
      values (new.id, name_words, %1$I.search_grams(name_words))
      on conflict (company_id) do update set words = excluded.words, grams = excluded.grams;
      if tg_op = 'UPDATE' then
        perform %1$I.index_names(array[new.id]);
      end if;
      return null;
    end $body$;

    create function search_follows_entry() returns trigger language plpgsql as $body$
    begin
      perform %1$I.place_in_search(array[new.company_id]);
      return null;
    end $body$
  $inside$, current_schema());
end $outside$;

create trigger companies_name_indexed after insert on companies
  for each row execute function name_company();
create trigger companies_name_indexed_again after update of name on companies
  for each row when (old.name <> new.name) execute function name_company();

-- A change of raised_cents has no trigger. The job that computes it calls place_in_search itself, once for all
-- companies and in the order of their ids.
create trigger catalog_entries_placed after insert on catalog_entries
  for each row when (new.shown_to is not null) execute function search_follows_entry();
create trigger catalog_entries_placed_again after update of status, shown_to on catalog_entries
  for each row when (old.status <> new.status or old.shown_to is distinct from new.shown_to)
  execute function search_follows_entry();

insert into company_names (company_id, words, grams)
select id, words, search_grams(words)
  from (select id, search_words(search_fold(name)) as words from companies) named;
select place_in_search(array(select id from companies order by id));
