-- schema: worlds
-- Text as search compares it: compatibility forms and accents taken apart and the marks dropped, letters that have no
-- such form spelled out, everything in small letters. The database's locale is not asked: it differs between servers.
create function search_fold(given text) returns text
  language sql immutable parallel safe
  return replace(replace(replace(translate(
    lower(regexp_replace(normalize(given, nfkd), '[\u0300-\u036f''’`]', '', 'g') collate "C"),
    'ØøŁłĐđıÆŒАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩς',
    'oollddiæœабвгдежзиклмнопрстуфхцчшщъыьэюяαβγδεζηθικλμνξοπρστυφχψωσ'),
    'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe');

-- The words of folded text: what stands between spaces and punctuation. `Hearth & Hinge` and `Hearth and Hinge` are the
-- same name, so an `and` between others counts as little as its sign.
create function search_words(folded text) returns text[]
  language sql immutable parallel safe
  return (
    select words[1:1] || array_remove(words[2:], 'and')
      from (select array_remove(regexp_split_to_array(folded, '[\s\u0021-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u007e\u00a0-\u00bf\u2000-\u206f]+'), '')) as split (words));

-- What names are found by: of every word, and of all of them written as one, each three letters in a row, with two
-- spaces before the word. A word's beginning has all of its own, and a word with a mistake still most of them.
create function search_grams(words text[]) returns text[]
  language sql immutable parallel safe
  return array(
    select distinct substr('  ' || word, n, 3)
      from unnest(words || array_to_string(words, '')) as word
     cross join generate_series(1, char_length(word)) as n
     where word <> '');

-- Module catalog. A company's name as search compares it, who finds it without being asked who they are (nobody, where
-- shown_to is null), and its standing among those whose names fit as well: who is raising before who is not, then who
-- raised more, in steps of which two are twice as much, so that not every investment moves a name.
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

-- Module catalog. The beginnings and middles of those names that somebody finds, each with the company it leads to. Who
-- looks for three letters that many names have reads some of them: the shorter, which are closer to what was typed
-- (`grams` is how many a name has), and those of better standing, which were meant more likely. Names that the viewer may
-- not see are not among them, so they take nobody's place. From the indexes alone, which is why autovacuum comes by often.
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
    -- Here and below each statement is planned once for a connection, since planning takes longer than running it. A plan
    -- made while the tables were empty would read them whole ever after, so none may.
    create function index_names(companies text[]) returns void language plpgsql
      set enable_seqscan = off set plan_cache_mode = force_generic_plan as $body$
    begin
      delete from %1$I.company_grams where company_id = any (companies);
      insert into %1$I.company_grams (gram, shown_to, company_id, grams, standing)
      select gram, n.shown_to, n.company_id, cardinality(n.grams), n.standing
        from %1$I.company_names n cross join unnest(n.grams) as gram
       where n.company_id = any (companies) and n.shown_to is not null;
    end $body$;

    -- Lock, then look: two changes to one company's rounds at once would each place it without the other's.
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

-- The figures are placed by whoever adds them up, for all at once and in order.
create trigger catalog_entries_placed after insert on catalog_entries
  for each row when (new.shown_to is not null) execute function search_follows_entry();
create trigger catalog_entries_placed_again after update of status, shown_to on catalog_entries
  for each row when (old.status <> new.status or old.shown_to is distinct from new.shown_to)
  execute function search_follows_entry();

insert into company_names (company_id, words, grams)
select id, words, search_grams(words)
  from (select id, search_words(search_fold(name)) as words from companies) named;
select place_in_search(array(select id from companies order by id));
